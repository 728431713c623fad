import { Prisma } from '../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import type { AppDb } from '../../kernel/db.ts'
import { termsRequiredFrom } from '../applications/required-terms.ts'
import { clockOf } from '../programs/clock.ts'
import { releaseForTerms } from './decide.ts'

const required = Prisma.raw(termsRequiredFrom('a'))

/** Affiliates with commissions that are held for terms, and who have accepted them. */
const accepted = (db: AppDb, of: Prisma.Sql, now: Date) =>
  db.$queryRaw<{ programId: string; affiliateId: string }[]>`
    select distinct a.program_id::text as "programId", a.id::text as "affiliateId"
    from commissions c join affiliates a on a.program_id = c.program_id and a.id = c.affiliate_id
    where ${of} and c.held_reason is not null
      and (c.held_reason = 'terms_not_accepted' or c.further_held_reasons @> '["terms_not_accepted"]') and c.paid_at is null and c.voided_at is null
      and not coalesce(${required} <= ${now}::timestamptz, false)`

/** Ends the hold of commissions of an affiliate who has accepted the terms. Idempotent. */
export async function releaseAccepted(ctx: ProgramCtx, affiliateId: string): Promise<void> {
  const of = Prisma.sql`c.program_id = ${ctx.program.id}::uuid and c.affiliate_id = ${affiliateId}::uuid`
  if ((await accepted(ctx.db, of, ctx.now())).length > 0) await releaseForTerms(ctx, affiliateId)
}

/** Ends holds that a crash after the acceptance left, and those of people who accepted by applying again. */
export async function releaseAllAccepted({ db, now }: { db: AppDb; now: () => Date }): Promise<void> {
  for (const { programId, affiliateId } of await accepted(db, Prisma.sql`true`, now())) {
    const program = await db.program.findUniqueOrThrow({ where: { id: programId } })
    const actor = { kind: 'system' } as const
    const ctx = { db: db.ofProgram(programId), program, actor, requestId: 'terms', now: clockOf(program, now) }
    if (!program.closedAt) await releaseForTerms(ctx as ProgramCtx, affiliateId)
  }
}
