import type { PayoutRun, PayoutService, Prisma } from '../../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../../kernel/context.ts'
import { refused } from '../../../kernel/errors.ts'
import { readableAmount } from '../../../kernel/money/decimals.ts'
import type { ServiceSettings } from '../settings.ts'

const dayMs = 86_400_000

type Reading = Pick<ProgramCtx, 'program'> & { db: Pick<Prisma.TransactionClient, 'payoutRunItem'> }

/** @throws REFUSED if the run, the last 24 hours or a payment is above what the owner allowed */
export async function refuseAboveLimits(
  { db, program }: Reading,
  { now }: ServiceSettings,
  { service, mostPerRunCents, mostPerDayCents, mostPerPayeeCents }: PayoutService,
  { id: runId, amountCents, currency }: PayoutRun,
): Promise<void> {
  const above = (what: string, cents: bigint, most: bigint) =>
    refused(
      `${what} ${readableAmount(cents, currency)}, above the limit of ${readableAmount(most, currency)}. An owner can change the limit with updatePayoutService.`,
    )
  if (mostPerRunCents !== null && amountCents > mostPerRunCents) throw above('The run is', amountCents, mostPerRunCents)
  if (mostPerPayeeCents !== null) {
    const where = { programId: program.id, runId, amountCents: { gt: mostPerPayeeCents } }
    const [largest] = await db.payoutRunItem.findMany({ where, orderBy: { amountCents: 'desc' }, take: 1 })
    if (largest) throw above(`The payment ${largest.payoutId} is`, largest.amountCents, mostPerPayeeCents)
  }
  if (mostPerDayCents !== null) {
    const since = new Date(now().getTime() - dayMs)
    const sum = await db.payoutRunItem.aggregate({
      where: {
        programId: program.id,
        currency,
        run: { service },
        runId: { not: runId },
        state: { notIn: ['failed', 'cancelled'] },
        // What was not handed over yet will be, without another check.
        OR: [{ batch: { firstTriedAt: { gt: since } } }, { batchId: { not: null }, state: 'prepared' }],
      },
      _sum: { amountCents: true },
    })
    const ofDay = (sum._sum.amountCents ?? 0n) + amountCents
    if (ofDay > mostPerDayCents) throw above('With the run, the last 24 hours are', ofDay, mostPerDayCents)
  }
}
