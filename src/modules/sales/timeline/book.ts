import { sqlWithin } from '../../../database/client/sql.ts'
import { inserted, type Write, writeTogether } from '../../../database/client/write.ts'
import type { Commission, Prisma, Sale } from '../../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../../kernel/context.ts'
import { addDays } from '../../../kernel/dates.ts'
import { mintId } from '../../../kernel/ids.ts'
import { earnedUntilNow } from '../../../kernel/money/refund-effect.ts'
import { inSlices } from '../../../kernel/slices.ts'
import { newCommission } from '../../commissions/new-commission.ts'
import { eventsOf, insertedEvents, type NewEvent } from '../../events/record.ts'
import { type Fact, moneyEvents } from '../../history/money-events.ts'
import { sentOf } from '../../payouts/sent-payouts.ts'
import { heldFor, heldReasonsOf } from '../../referrals/held-reasons.ts'
import { newCorrection } from '../../rules/of-amount.ts'
import { type Decision, decisionOf } from '../decision.ts'
import type { Evaluated } from './evaluate.ts'
import { earnedOf, isFixed } from './fact-of.ts'
import { ruleCopyOf } from './outcome.ts'
import type { StoredSale } from './stored.ts'

/** A sale whose earnings change, and what it should have earned. */
export type Difference = { sale: StoredSale; evaluated: Evaluated }

type Restated = Pick<Sale, 'programId' | 'id' | 'noCommissionReason' | 'updatedAt'> & { decision: Decision }

type Amended = Omit<StoredSale['commissions'][number], 'events' | 'refund'> & { updatedAt: Date }

/** The rows that are written for a sale whose earnings change. */
type Booking = {
  sales: Restated[]
  amended: Amended[]
  created: Commission[]
  facts: Fact[]
  events: NewEvent[]
}

const nothing: Booking = { sales: [], amended: [], created: [], facts: [], events: [] }

const together = (bookings: readonly Booking[]): Booking => ({
  sales: bookings.flatMap(({ sales }) => sales),
  amended: bookings.flatMap(({ amended }) => amended),
  created: bookings.flatMap(({ created }) => created),
  facts: bookings.flatMap(({ facts }) => facts),
  events: bookings.flatMap(({ events }) => events),
})

/**
 * Books what sales should have earned: a commission that is not paid is amended, and void if it earns nothing; one that
 * is paid or sent stays, and a correction follows. The affiliates are locked. @param reason for the history
 */
export async function bookSales(
  ctx: ProgramCtx,
  tx: Prisma.TransactionClient,
  differences: readonly Difference[],
  reason: string,
  now: Date,
): Promise<void> {
  const earned = differences.flatMap(({ sale }) => earnedOf(sale) ?? [])
  const sent = new Set((await sentOf(tx, earned)).map(({ id }) => id))
  await inSlices(differences, async (slice) => {
    const bookings = slice.map((difference) => bookingOf(difference, sent, reason, now))
    await writeTogether(sqlWithin(tx), writesOf(ctx, together(bookings), now))
    return []
  })
}

const writesOf = (ctx: ProgramCtx, { sales, amended, created, facts, events }: Booking, now: Date): Write[] => [
  {
    name: 'sales',
    sql: `update sales s set decision = n.decision, no_commission_reason = n.no_commission_reason, updated_at = n.updated_at
      from jsonb_populate_recordset(null::sales, $1::jsonb -> 'sales') n
      where s.program_id = n.program_id and s.id = n.id`,
    rows: sales,
  },
  {
    name: 'amended',
    sql: `update commissions c set rule_id = n.rule_id, rule_reward_type = n.rule_reward_type,
        rule_basis_points = n.rule_basis_points, rule_amount_cents = n.rule_amount_cents, rule_lines = n.rule_lines,
        rule_days_before_due = n.rule_days_before_due, rule_max_commissions = n.rule_max_commissions,
        rule_max_period_in_months = n.rule_max_period_in_months, due_at = n.due_at, amount_cents = n.amount_cents,
        payout_id = null, voided_at = n.voided_at, updated_at = n.updated_at
      from jsonb_populate_recordset(null::commissions, $1::jsonb -> 'amended') n
      where c.program_id = n.program_id and c.id = n.id`,
    rows: amended,
  },
  inserted('commissions', created),
  inserted('money_events', moneyEvents(ctx, facts, now)),
  insertedEvents(ctx, events, now),
]

function bookingOf({ sale, evaluated }: Difference, sent: ReadonlySet<string>, reason: string, now: Date): Booking {
  const earned = earnedOf(sale)
  if (earned && (isFixed(sale) || sent.has(earned.id))) return corrected(sale, earned.currency, evaluated, reason, now)
  const restated = { ...nothing, sales: [restatedOf(sale, evaluated, now)] }
  const { earned: expected, outcome } = evaluated
  if (!earned) {
    const isStillNothing = 'reason' in expected || outcome.cents === 0n
    return isStillNothing ? restated : together([restated, created(sale, evaluated, expected, reason, now)])
  }
  const isOtherCurrency = !('reason' in expected) && expected.currency !== earned.currency
  return together([
    restated,
    amended(sale, earned, evaluated, reason, now),
    isOtherCurrency ? corrected(sale, earned.currency, evaluated, reason, now) : nothing,
  ])
}

/** The sale says how it earns, or why not. */
function restatedOf(
  { programId, id, decision, noCommissionReason }: StoredSale,
  { terms, history, earned, outcome }: Evaluated,
  now: Date,
): Restated {
  const { dropped = [], ...known } = decision as Decision
  const isStillNothing = noCommissionReason !== null && outcome.cents === 0n
  return {
    programId,
    id,
    decision: decisionOf({ ...known, dropped }, terms, history, known.selfReferral),
    noCommissionReason: 'reason' in earned ? earned.reason : isStillNothing ? noCommissionReason : null,
    updatedAt: now,
  }
}

/** A commission for a sale that earned nothing until now. */
function created(
  sale: StoredSale,
  { terms, outcome }: Evaluated,
  earned: Exclude<Evaluated['earned'], { reason: unknown }>,
  reason: string,
  now: Date,
): Booking {
  const { selfReferral } = sale.decision as Decision
  const held = heldFor(selfReferral && terms.selfReferrals !== 'allow' ? [selfReferral] : [])
  const amountCents = outcome.cents
  const commission = { ...newCommission(mintId(now), sale, terms, earned, now), ...held, amountCents }
  return {
    ...nothing,
    created: [commission],
    facts: [
      { commission, kind: 'earned', deltaCents: amountCents, reason },
      ...heldReasonsOf(held).map((reason): Fact => ({ commission, kind: 'held', deltaCents: 0n, reason })),
    ],
    events: [...eventsOf(commission.id, ['commission.created']), ...eventsOf(sale.id, ['sale.updated'])],
  }
}

/** An unpaid commission becomes what the sale should have earned. */
function amended(
  sale: StoredSale,
  { events: told, refund: _, ...earned }: NonNullable<ReturnType<typeof earnedOf>>,
  { terms, earned: expected, outcome }: Evaluated,
  reason: string,
  now: Date,
): Booking {
  const { id } = earned
  const isEarned = !('reason' in expected) && expected.currency === earned.currency
  const correctedCents = sumOf(sale.corrections, earned.currency)
  const cents = isEarned ? outcome.cents - correctedCents : 0n
  const isRefunded = isEarned && !outcome.isCounted
  const isVoid = !isEarned || isRefunded
  const days = isEarned ? (expected.daysBeforeDue ?? terms.daysBeforeCommissionsAreDue) : earned.ruleDaysBeforeDue
  const isMoved = told.some(({ kind }) => kind === 'rescheduled')
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
  const changed: Amended = {
    ...earned,
    ...rule,
    amountCents,
    payoutId: null,
    voidedAt: isVoid ? (earned.voidedAt ?? now) : null,
    updatedAt: now,
  }
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
  if (facts.length === 0) return { ...nothing, amended: [changed] }
  const events = [...eventsOf(id, types), ...eventsOf(sale.id, ['sale.updated'])]
  return { ...nothing, amended: [changed], facts, events }
}

/** Corrections of what was paid. One that a person has voided is not made again. */
function corrected(
  sale: StoredSale,
  paidCurrency: string,
  { earned: expected, outcome }: Evaluated,
  reason: string,
  now: Date,
): Booking {
  const currency = 'reason' in expected ? paidCurrency : expected.currency
  const bookings = [...new Set([paidCurrency, currency])].map((one): Booking => {
    const expectedCents = one === currency ? outcome.cents : 0n
    const cents = expectedCents - paidIn(sale, one) - sumOf(sale.corrections, one)
    return cents === 0n ? nothing : correction(sale, { currency: one, cents, reason }, now)
  })
  return together(bookings)
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

function correction(
  { programId, id: correctsSaleId, affiliateId, campaignId }: StoredSale,
  { currency, cents, reason }: { currency: string; cents: bigint; reason: string },
  now: Date,
): Booking {
  const given = { programId, affiliateId, campaignId, currency, amountCents: cents, reason }
  const commission = newCorrection(given, now, { correctsSaleId })
  const fact = { commission, kind: 'earned', deltaCents: cents, reason } as const
  return { ...nothing, created: [commission], facts: [fact], events: eventsOf(commission.id, ['commission.created']) }
}
