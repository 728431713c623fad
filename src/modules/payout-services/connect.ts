import { withTransaction } from '../../database/client/transaction.ts'
import type { PayoutService, Prisma } from '../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import { addDays } from '../../kernel/dates.ts'
import { decryptSecret, encryptSecret } from '../../kernel/encryption.ts'
import { invalid, refused } from '../../kernel/errors.ts'
import { mintId } from '../../kernel/ids.ts'
import { parseInput, readFields } from '../../kernel/input/parse.ts'
import { recordAction, recordChange } from '../history/record.ts'
import { lockProgram } from '../programs/lock.ts'
import { accessWith, asRefusal, kindOf } from './access.ts'
import { findNamedService, lockService } from './find.ts'
import { connectPayoutServiceInput } from './input.ts'
import type { Kind } from './kinds/kind.ts'
import type { ServiceSettings } from './settings.ts'

/** How long webhooks that were signed for the credentials before are still read. */
const keepPreviousDays = 1

/**
 * Connects a service, or gives a connected one other credentials. They are tried first, so that a wrong one changes
 * nothing, and payments go on with the ones before until then.
 * @throws INVALID_INPUT; REFUSED with what the service says, or for another account while payments are unknown: it
 * does not know the batch, and would pay it again
 */
export async function connectPayoutService(
  ctx: ProgramCtx,
  settings: ServiceSettings,
  raw: unknown,
): Promise<PayoutService> {
  await demandSecondFactor(ctx)
  const { service, credentials: given } = await parseInput(connectPayoutServiceInput, raw)
  const kind = kindOf({ service })
  const credentials = readCredentials(kind, given)
  const { account, canPay } = await kind.check(accessWith(settings, service, credentials)).catch((error: unknown) => {
    throw asRefusal(error)
  })
  const now = ctx.now()
  const programId = ctx.program.id
  const said = { account, canPay, checkedAt: now, problem: null, updatedAt: now }
  const text = JSON.stringify(credentials)
  return withTransaction(ctx.db, async (tx) => {
    await lockProgram(tx, programId)
    const found = await tx.payoutService.findFirst({ where: { programId, service } })
    const before = found && (await lockService(tx, found))
    if (before?.account !== account) await refuseUnknown(tx, { programId, service }, 'you connect another account')
    if (!before) {
      const id = mintId(now)
      const secret = encryptSecret(settings.key, id, text)
      const row = await tx.payoutService.create({
        data: { ...said, programId, id, service, credentials: secret, createdAt: now },
      })
      await recordChange(tx, ctx, { subject: 'payout_service', subjectId: id, action: 'created' }, null, row, now)
      // What it was sent before it was disconnected is asked for again. What waits is sent by a person.
      await tx.payoutRun.updateMany({
        where: { programId, service, state: 'sent', handedOverAt: { not: null } },
        data: { nextStepAt: settings.now() },
      })
      return row
    }
    const { id } = before
    const isSame = decryptSecret(settings.key, id, before.credentials) === text
    const row = await tx.payoutService.update({
      where: { programId_id: { programId, id } },
      data: {
        ...said,
        ...(!isSame && {
          credentials: encryptSecret(settings.key, id, text),
          previousCredentials: before.credentials,
          previousEndsAt: addDays(settings.now(), keepPreviousDays),
        }),
      },
    })
    const subject = { subject: 'payout_service', subjectId: id } as const
    if (isSame) await recordChange(tx, ctx, { ...subject, action: 'updated' }, before, row, now)
    else await recordAction(tx, ctx, { ...subject, action: 'secret_rotated' }, before, row, now)
    return row
  })
}

/** @throws INVALID_INPUT with every problem, at the field of the credentials */
function readCredentials(kind: Kind, given: Record<string, unknown>): Record<string, string | undefined> {
  const { readable, problems } = readFields(kind.credentials, given)
  const known = Object.keys(kind.credentials.shape)
  const unknown = Object.keys(given).filter((name) => !known.includes(name))
  const all = [
    ...problems.map(({ message, field }) => ({
      message: `Credentials: ${message}`,
      path: ['credentials', field ?? ''],
    })),
    ...unknown.map((name) => ({
      message: `Credentials of ${kind.name} have no key "${name.slice(0, 50)}". Its keys are ${known.join(', ')}.`,
      path: ['credentials'],
    })),
  ]
  if (all.length > 0) throw invalid(all.map((one) => ({ ...one, field: 'credentials' })))
  return readable as Record<string, string | undefined>
}

/**
 * What moves money is entered only by people who have proved who they are with two things. API keys are made by them.
 * @throws REFUSED
 */
export async function demandSecondFactor({ db, actor }: ProgramCtx): Promise<void> {
  if (actor.kind !== 'person') return
  const person = await db.person.findUnique({ where: { id: actor.id }, select: { hasSecondFactor: true } })
  if (!person?.hasSecondFactor)
    throw refused('Set up the second factor of your account first: these credentials move money.')
}

async function refuseUnknown(
  tx: Prisma.TransactionClient,
  { programId, service }: Pick<PayoutService, 'programId' | 'service'>,
  before: string,
): Promise<void> {
  const unknown = await tx.payoutRunItem.count({ where: { programId, isUnknown: true, run: { service } } })
  if (unknown > 0)
    throw refused(
      `What became of ${unknown} payments at ${kindOf({ service }).name} is unknown. Ask with refreshPayoutRun, or record what its page says, before ${before}.`,
    )
}

/**
 * Forgets the credentials of a service. Payments that it has go on there; what becomes of them is recorded by hand or
 * from a report. Returns the id. @throws NOT_FOUND; REFUSED while payments are unknown
 */
export async function disconnectPayoutService(ctx: ProgramCtx, raw: unknown): Promise<string> {
  const row = await findNamedService(ctx, raw)
  await demandSecondFactor(ctx)
  const { programId, id, service } = row
  await withTransaction(ctx.db, async (tx) => {
    await lockProgram(tx, programId)
    await lockService(tx, row)
    await refuseUnknown(tx, row, 'you disconnect it')
    const { count } = await tx.payoutService.deleteMany({ where: { programId, id } })
    await tx.payoutRun.updateMany({
      where: { programId, service, nextStepAt: { not: null } },
      data: { nextStepAt: null },
    })
    const subject = { subject: 'payout_service', subjectId: id, action: 'deleted' } as const
    if (count > 0) await recordChange(tx, ctx, subject, row, null, ctx.now())
  })
  return id
}
