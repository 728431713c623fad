import type { PayoutService } from '../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import type { AppDb } from '../../kernel/db.ts'
import { TributaryError } from '../../kernel/errors.ts'
import { groupBy } from '../../kernel/group-by.ts'
import type { Mailing } from '../me/payout-address.ts'
import { accessesOf, kindOf, openService } from './access.ts'
import type { HeardNotice, Notice } from './kinds/kind.ts'
import { askForPayee } from './onboarding/onboarding.ts'
import { idOf } from './our-ids.ts'
import { ServiceProblem } from './problem.ts'
import { keyOfBatch, unsentStates } from './runs/batches.ts'
import { noteTaken } from './runs/hand-over.ts'
import { recordHeard } from './runs/hear.ts'
import type { ServiceSettings } from './settings.ts'

/** What is answered. A service sends the notice again after another status than 200. */
export type Noticed = { status: 200 | 400 | 401 | 503; note: string | null }

/** @returns the service of an address, or null */
export const findServiceOfAddress = (db: AppDb, id: string): Promise<PayoutService | null> =>
  db.payoutService.findFirst({ where: { id, program: { deletedAt: null } } })

/**
 * Records what a service sends by itself, as what is asked: facts, in the order of the service's time. The same notice
 * again changes nothing, and so does one of a payment that is not ours.
 */
export async function receiveNotice(
  ctx: ProgramCtx & Mailing,
  settings: ServiceSettings,
  row: PayoutService,
  notice: Notice,
): Promise<Noticed> {
  const kind = kindOf(row)
  let refusal = 'The credentials were encrypted with another key.'
  let heard: HeardNotice | null = null
  try {
    for (const access of accessesOf(settings, row)) {
      const read = await kind.hear(access, notice)
      if (!('refusal' in read)) heard = read
      else refusal = read.refusal
      if (heard) break
    }
  } catch (error) {
    if (!(error instanceof ServiceProblem)) throw error
    return { status: 503, note: error.message }
  }
  if (!heard) return { status: 401, note: refusal }
  try {
    for (const payee of heard.payees ?? []) await askForPayee(ctx, openService(settings, row), payee)
  } catch (error) {
    if (!(error instanceof ServiceProblem || error instanceof TributaryError)) throw error
    return { status: 503, note: error.message }
  }
  for (const { ourId, serviceId, word } of heard.batches) {
    const id = idOf(ourId)
    const where = {
      programId: row.programId,
      id: id ?? row.id,
      state: { in: [...unsentStates] },
      triedAt: { not: null },
    }
    const batch = await ctx.db.payoutBatch.findFirst({ where })
    if (batch) await noteTaken(ctx, batch, { ourId, serviceId, word })
    // What it says of the payments is asked soon.
    const own = id === null ? null : await ctx.db.payoutBatch.findUnique({ where: keyOfBatch({ ...row, id }) })
    if (own)
      await ctx.db.payoutRun.updateMany({
        where: { programId: row.programId, id: own.runId },
        data: { nextStepAt: settings.now() },
      })
  }
  const ids = heard.payments.flatMap(({ ourId }) => idOf(ourId) ?? [])
  const items = await ctx.db.payoutRunItem.findMany({
    where: { programId: row.programId, id: { in: ids }, batchId: { not: null } },
    select: { id: true, runId: true },
  })
  const runs = new Map(items.map(({ id, runId }) => [id, runId]))
  const known = heard.payments.filter(({ ourId }) => runs.has(idOf(ourId) ?? ''))
  for (const [runId, ofRun] of groupBy(known, ({ ourId }) => runs.get(idOf(ourId) ?? '') ?? ''))
    await recordHeard(ctx, kind, runId, ofRun)
  return { status: 200, note: known.length === heard.payments.length ? null : 'The payment is not of this program.' }
}
