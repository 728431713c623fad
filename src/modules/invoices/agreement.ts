import { withTransaction } from '../../database/client/transaction.ts'
import type { SelfBillingVersion } from '../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import type { Db } from '../../kernel/db.ts'
import { parseInput, problem } from '../../kernel/input/parse.ts'
import { storedActor } from '../history/actor.ts'
import { recordAction, recordProgramChange } from '../history/record.ts'
import { lockProgram } from '../programs/lock.ts'
import { acceptSelfBillingInput, publishSelfBillingInput } from './input.ts'

/** The version that holds, and what an affiliate has agreed to. */
export type SelfBilling = {
  version: number
  text: string
  /** Null: the affiliate has not agreed to this version. */
  agreed: { agreedAt: Date; signedName: string | null } | null
  /** The newest version that the affiliate has agreed to, this one or an earlier one. Null: none. */
  agreedVersion: number | null
}

/** The version that holds. Null: the program has no text, so it makes no invoices. */
export const currentVersion = (db: Db, programId: string): Promise<SelfBillingVersion | null> =>
  db.selfBillingVersion.findFirst({ where: { programId }, orderBy: { number: 'desc' } })

/**
 * Publishes a version of the text, which affiliates are asked to agree to. The text that holds is published once.
 * @returns its number
 * @throws INVALID_INPUT
 */
export async function publishSelfBilling(ctx: ProgramCtx, raw: unknown): Promise<number> {
  const { text } = await parseInput(publishSelfBillingInput, raw)
  const programId = ctx.program.id
  const now = ctx.now()
  return withTransaction(ctx.db, async (tx) => {
    await lockProgram(tx, programId)
    const before = await currentVersion(tx, programId)
    if (before?.text === text) return before.number
    const number = (before?.number ?? 0) + 1
    const { actorKind: createdByKind, actorId: createdById } = storedActor(ctx.actor)
    await tx.selfBillingVersion.create({
      data: { programId, number, text, createdAt: now, createdByKind, createdById },
    })
    await recordProgramChange(
      tx,
      ctx,
      { selfBilling: before ? String(before.number) : null },
      { selfBilling: String(number) },
      now,
    )
    return number
  })
}

/**
 * Keeps that an affiliate agrees to the version that holds, with name and time. Idempotent: the first time stays.
 * @throws INVALID_INPUT, also for another version than the one that holds
 */
export async function acceptSelfBilling(ctx: ProgramCtx & { affiliateId: string }, raw: unknown): Promise<void> {
  const { program, affiliateId } = ctx
  const programId = program.id
  const now = ctx.now()
  await withTransaction(ctx.db, async (tx) => {
    await tx.$queryRaw`select 1 from affiliates where program_id = ${programId}::uuid and id = ${affiliateId}::uuid for no key update`
    const holds = await currentVersion(tx, programId)
    const { version, signedName } = await parseInput(acceptSelfBillingInput, raw, (input) =>
      input.version === undefined || input.version === holds?.number
        ? []
        : [problem('version', holds ? `must be ${holds.number}, which holds now` : 'does not exist: there is no text')],
    )
    const data = [{ programId, affiliateId, version, signedName, agreedAt: now }]
    const { count } = await tx.selfBillingAgreement.createMany({ data, skipDuplicates: true })
    if (count === 0) return
    const subject = { subject: 'affiliate', subjectId: affiliateId, action: 'self_billing_accepted' } as const
    await recordAction(tx, ctx, subject, null, { selfBillingVersion: String(version) }, now)
  })
}

/** For each affiliate, the version that holds and what was agreed to. Null: the program has no text. */
export async function selfBillingOf(
  db: Db,
  programId: string,
  ids: readonly string[],
): Promise<(SelfBilling | null)[]> {
  const holds = await currentVersion(db, programId)
  if (!holds) return ids.map(() => null)
  const rows = await db.selfBillingAgreement.findMany({
    where: { programId, affiliateId: { in: [...ids] } },
    orderBy: { version: 'asc' },
  })
  return ids.map((id) => {
    const own = rows.filter(({ affiliateId }) => affiliateId === id)
    return {
      version: holds.number,
      text: holds.text,
      agreed: own.find(({ version }) => version === holds.number) ?? null,
      agreedVersion: own.at(-1)?.version ?? null,
    }
  })
}
