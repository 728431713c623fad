import { sqlWithin } from '../../../database/client/sql.ts'
import { inserted, writeTogether } from '../../../database/client/write.ts'
import type { Prisma } from '../../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../../kernel/context.ts'
import { eventsOf, insertedEvents } from '../../events/record.ts'
import { moneyEvents } from '../../history/money-events.ts'
import { entriesOf } from '../../history/record.ts'
import { newCorrection } from '../../rules/of-amount.ts'
import { updatedPayouts } from '../mark.ts'

/** What a payment is more or less than the books say, in minor units. */
export type Difference = {
  item: { id: string; affiliateId: string; currency: string }
  deltaCents: bigint
  /** What of it was withheld. With a payout, its payment says it. */
  withheldCents: bigint
  /** The payout whose amount changes by the difference. Null: the difference was paid beside it. */
  payout: { id: string; amountCents: bigint } | null
  /** Affiliates read it. */
  reason: string
}

/**
 * Settles differences between what left and what a payout says, by two corrections each, whose sum is 0: one is paid
 * with the payment, or was paid beside it; the other is due, as a debt if too much left, else as a balance. So what an
 * affiliate has earned stays the same, and what is owed follows from what is gone. The caller holds the locks of the
 * affiliates, and settles their open payouts.
 */
export async function correct(
  tx: Prisma.TransactionClient,
  ctx: ProgramCtx,
  differences: readonly Difference[],
  now: Date,
): Promise<void> {
  const real = differences.filter(({ deltaCents }) => deltaCents !== 0n)
  if (real.length === 0) return
  const programId = ctx.program.id
  const where = { programId, id: { in: real.map(({ item }) => item.affiliateId) } }
  const affiliates = await tx.affiliate.findMany({ where, select: { id: true, campaignId: true } })
  const campaigns = new Map(affiliates.map(({ id, campaignId }) => [id, campaignId]))
  const pairs = real.map((difference) => {
    const { item, deltaCents, withheldCents, payout, reason } = difference
    const { affiliateId, currency, id: paymentId } = item
    const given = { programId, affiliateId, campaignId: campaigns.get(affiliateId) as string, currency, reason }
    const beside = payout ? { payoutId: payout.id } : { paidAt: now }
    const with_ = newCorrection({ ...given, amountCents: deltaCents }, now, { paymentId, ...beside })
    return { with_, withheldCents, owed: newCorrection({ ...given, amountCents: -deltaCents }, now, { paymentId }) }
  })
  const commissions = pairs.flatMap(({ with_, owed }) => [with_, owed])
  const beside = pairs.filter(({ with_ }) => with_.paidAt !== null)
  const facts = [
    ...commissions.map((commission) => {
      const { amountCents: deltaCents, reason } = commission
      return { commission, kind: 'earned' as const, deltaCents, reason: reason ?? '' }
    }),
    ...beside.map(({ with_: commission, withheldCents }) => {
      return { commission, kind: 'paid' as const, deltaCents: 0n, withheldCents, paidAt: now }
    }),
  ]
  const payouts = real.flatMap(({ payout, deltaCents }) =>
    payout ? [{ programId, id: payout.id, amountCents: payout.amountCents + deltaCents, updatedAt: now }] : [],
  )
  const changes = real.flatMap(({ payout, deltaCents }) =>
    payout
      ? [
          {
            subject: 'payout' as const,
            subjectId: payout.id,
            action: 'amount_changed' as const,
            before: { amountCents: payout.amountCents },
            after: { amountCents: payout.amountCents + deltaCents },
          },
        ]
      : [],
  )
  const events = [
    ...commissions.flatMap(({ id }) => eventsOf(id, ['commission.created'])),
    ...beside.flatMap(({ with_: { id } }) => eventsOf(id, ['commission.paid'])),
    ...payouts.flatMap(({ id }) => eventsOf(id, ['payout.updated'])),
  ]
  await writeTogether(sqlWithin(tx), [
    inserted('commissions', commissions),
    updatedPayouts(payouts),
    inserted('money_events', moneyEvents(ctx, facts, now)),
    inserted('changes', entriesOf(ctx, changes, now)),
    insertedEvents(ctx, events, now),
  ])
}
