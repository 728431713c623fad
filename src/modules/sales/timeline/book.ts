import { type Commission, Prisma } from '../../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../../kernel/context.ts'
import { addDays } from '../../../kernel/dates.ts'
import { mintId } from '../../../kernel/ids.ts'
import { earnedUntilNow } from '../../../kernel/money/refund-effect.ts'
import { newCommission } from '../../commissions/new-commission.ts'
import { eventsOf, type NewEvent } from '../../events/record.ts'
import type { Fact } from '../../history/money-events.ts'
import { sentOf } from '../../payouts/sent.ts'
import { heldFor, heldReasonsOf } from '../../referrals/held-reasons.ts'
import { newCorrection } from '../../rules/of-amount.ts'
import { type Decision, decisionOf } from '../report/decision.ts'
import type { Evaluated } from './evaluate.ts'
import { earnedOf, isFixed } from './fact-of.ts'
import { ruleCopyOf } from './outcome.ts'
import type { StoredSale } from './read.ts'

/** What is written for a sale whose earnings change. */
export type Booking = { facts: Fact[]; events: NewEvent[] }

/**
 * Books what a sale should have earned: a commission that is not paid is amended, and void if it earns nothing; one
 * that is paid or sent stays, and a correction follows. @param reason for the history
 */
export async function bookSale(
  ctx: ProgramCtx,
  tx: Prisma.TransactionClient,
  sale: StoredSale,
  evaluated: Evaluated,
  reason: string,
  now: Date,
): Promise<Booking> {
  const earned = earnedOf(sale)
  if (earned && (isFixed(sale) || (await sentOf(tx, [earned])).length > 0))
    return correct(ctx, tx, sale, earned.currency, evaluated, reason, now)
  await restate(tx, sale, evaluated, now)
  const { earned: expected, outcome } = evaluated
  if (!earned) return 'reason' in expected || outcome.cents === 0n ? nothing : create(tx, sale, evaluated, reason, now)
  const amended = await amend(tx, sale, earned, evaluated, reason, now)
  const isOtherCurrency = !('reason' in expected) && expected.currency !== earned.currency
  if (!isOtherCurrency) return amended
  const corrected = await correct(ctx, tx, sale, earned.currency, evaluated, reason, now)
  return { facts: [...amended.facts, ...corrected.facts], events: [...amended.events, ...corrected.events] }
}

const nothing: Booking = { facts: [], events: [] }

/** The sale says how it earns, or why not. */
async function restate(
  tx: Prisma.TransactionClient,
  { programId, id, decision, noCommissionReason }: StoredSale,
  { terms, history, earned, outcome }: Evaluated,
  now: Date,
): Promise<void> {
  const { signals, dropped = [], coupons, feed, selfReferral } = decision as Decision
  const given = { signals, dropped, ...(coupons && { coupons }), ...(feed && { feed }) }
  const isStillNothing = noCommissionReason !== null && outcome.cents === 0n
  await tx.sale.update({
    where: { programId_id: { programId, id } },
    data: {
      decision: decisionOf(given, terms, history, selfReferral),
      noCommissionReason: 'reason' in earned ? earned.reason : isStillNothing ? noCommissionReason : null,
      updatedAt: now,
    },
  })
}

/** A commission for a sale that earned nothing until now. */
async function create(
  tx: Prisma.TransactionClient,
  sale: StoredSale,
  { terms, earned, outcome }: Evaluated,
  reason: string,
  now: Date,
): Promise<Booking> {
  if ('reason' in earned) return nothing
  const { selfReferral } = sale.decision as Decision
  const held = heldFor(selfReferral && terms.selfReferrals !== 'allow' ? [selfReferral] : [])
  const amountCents = outcome.cents
  const commission = { ...newCommission(mintId(now), sale, terms, earned, now), ...held, amountCents }
  await tx.commission.create({
    data: { ...commission, ruleLines: linesOf(commission), furtherHeldReasons: Prisma.DbNull },
  })
  return {
    facts: [
      { commission, kind: 'earned', deltaCents: amountCents, reason },
      ...heldReasonsOf(held).map((reason): Fact => ({ commission, kind: 'held', deltaCents: 0n, reason })),
    ],
    events: [...eventsOf(commission.id, ['commission.created']), ...eventsOf(sale.id, ['sale.updated'])],
  }
}

const linesOf = ({ ruleLines }: Pick<Commission, 'ruleLines'>) => (ruleLines as Prisma.InputJsonValue) ?? Prisma.DbNull

/** An unpaid commission becomes what the sale should have earned. */
async function amend(
  tx: Prisma.TransactionClient,
  sale: StoredSale,
  earned: NonNullable<ReturnType<typeof earnedOf>>,
  { terms, earned: expected, outcome }: Evaluated,
  reason: string,
  now: Date,
): Promise<Booking> {
  const { programId, id } = earned
  const isEarned = !('reason' in expected) && expected.currency === earned.currency
  const corrected = sumOf(sale.corrections, earned.currency)
  const cents = isEarned ? outcome.cents - corrected : 0n
  const isRefunded = isEarned && !outcome.isCounted
  const isVoid = !isEarned || isRefunded
  const days = isEarned ? (expected.daysBeforeDue ?? terms.daysBeforeCommissionsAreDue) : earned.ruleDaysBeforeDue
  const isMoved = earned.events.some(({ kind }) => kind === 'rescheduled')
  // What was refunded in full keeps its amount, as a refund leaves it.
  const amountCents = isRefunded ? earned.amountCents : cents
  const rule = isEarned && {
    ...ruleCopyOf(terms, expected),
    ruleId: terms.applied?.id ?? null,
    ruleDaysBeforeDue: days,
    ruleMaxCommissions: terms.maxCommissions,
    ruleMaxPeriodInMonths: terms.maxCommissionPeriodInMonths,
    ...(!isMoved && { dueAt: addDays(earned.occurredAt, days) }),
  }
  const changed = { ...earned, ...rule, amountCents }
  await tx.commission.update({
    where: { programId_id: { programId, id } },
    data: {
      ...(rule && { ...rule, ruleLines: linesOf(rule) }),
      amountCents,
      payoutId: null,
      voidedAt: isVoid ? (earned.voidedAt ?? now) : null,
      updatedAt: now,
    },
  })
  const deltaCents = amountCents - earned.amountCents
  const facts: Fact[] = [
    ...(!isVoid && earned.voidedAt ? [{ commission: changed, kind: 'unvoided', deltaCents: 0n, reason } as const] : []),
    ...(deltaCents === 0n ? [] : [{ commission: changed, kind: 'recalculated', deltaCents, reason } as const]),
    ...(isVoid && !earned.voidedAt ? [{ commission: changed, kind: 'voided', deltaCents: 0n, reason } as const] : []),
  ]
  const types =
    isVoid && !earned.voidedAt
      ? (['commission.updated', 'commission.voided'] as const)
      : (['commission.updated'] as const)
  if (facts.length === 0) return nothing
  return { facts, events: [...eventsOf(id, types), ...eventsOf(sale.id, ['sale.updated'])] }
}

/** A correction of what was paid. One that a person has voided is not made again. */
async function correct(
  ctx: ProgramCtx,
  tx: Prisma.TransactionClient,
  sale: StoredSale,
  paidCurrency: string,
  { earned: expected, outcome }: Evaluated,
  reason: string,
  now: Date,
): Promise<Booking> {
  const currency = 'reason' in expected ? paidCurrency : expected.currency
  const booked = await Promise.all(
    [...new Set([paidCurrency, currency])].map(async (one): Promise<Booking> => {
      const expectedCents = one === currency ? outcome.cents : 0n
      const cents = expectedCents - paidIn(sale, one) - sumOf(sale.corrections, one)
      return cents === 0n ? nothing : insertCorrection(ctx, tx, sale, { currency: one, cents, reason }, now)
    }),
  )
  return { facts: booked.flatMap(({ facts }) => facts), events: booked.flatMap(({ events }) => events) }
}

const sumOf = (rows: readonly Pick<Commission, 'currency' | 'amountCents'>[], currency: string): bigint =>
  rows.reduce((sum, row) => (row.currency === currency ? sum + row.amountCents : sum), 0n)

/** What a sale has earned in a currency, with debts and credits. */
const paidIn = ({ commissions }: StoredSale, currency: string): bigint =>
  earnedUntilNow(
    commissions
      .filter((row) => row.currency === currency)
      .map(({ amountCents, voidedAt, refund }) => {
        return { amountCents, isVoid: voidedAt !== null, isReversed: Boolean(refund?.reversedAt) }
      }),
  )

async function insertCorrection(
  { program }: ProgramCtx,
  tx: Prisma.TransactionClient,
  { id: correctsSaleId, affiliateId, campaignId }: StoredSale,
  { currency, cents, reason }: { currency: string; cents: bigint; reason: string },
  now: Date,
): Promise<Booking> {
  const given = { programId: program.id, affiliateId, campaignId, currency, amountCents: cents, reason }
  const commission = newCorrection(given, now, { correctsSaleId })
  await tx.commission.create({ data: { ...commission, ruleLines: Prisma.DbNull, furtherHeldReasons: Prisma.DbNull } })
  return {
    facts: [{ commission, kind: 'earned', deltaCents: cents, reason }],
    events: eventsOf(commission.id, ['commission.created']),
  }
}
