import type { AttributionSignal, HeldReason } from '../../generated/prisma/enums.ts'
import type { LineOf, Money, Writer } from '../writer.ts'

export type SignalMiss = 'not_usable' | 'not_found' | 'expired' | 'affiliate_not_active' | 'archived'
export type CapSpan = 'sale' | 'month' | 'year'
export type Period = 'month' | 'quarter' | 'year' | 'ever'
export type Measured = { measure: 'conversions' | 'revenue' | 'commissions'; value: bigint; currency: string }
/** The name of a rule. Null for readers who do not see it. */
export type Rule = { rule: string | null }
/** Of a line of a commission. `name` is the product's, null for the rest of the sale. */
export type Part = Rule & { name: string | null; isOneOfSeveral: boolean; isByRule: boolean }
type Paid = { earned: Money; paid: Money | null }

const signals: Record<AttributionSignal, string> = {
  referral_id: 'the referral id',
  coupon: 'the coupon',
  agent: 'what an agent said',
  email: "the customer's e-mail",
  manual: 'a person',
}
const signalMisses: Record<SignalMiss, string> = {
  not_usable: 'could not be used',
  not_found: 'matched nothing',
  expired: 'led to a referral that had expired',
  affiliate_not_active: 'led to an affiliate who was not active',
  archived: 'was archived, or its campaign was',
}
const spans: Record<CapSpan, string> = { sale: 'a sale', month: 'a month', year: 'a year' }
export const periods: Record<Period, string> = {
  month: 'in the month',
  quarter: 'in the quarter',
  year: 'in the year',
  ever: 'in all',
}
const suspected = 'Held as a possible self-referral until a person approves or cancels it.'
const held: Record<HeldReason, string> = {
  self_referral_email: suspected,
  self_referral_domain: suspected,
  self_referral_lookalike:
    "Held until a person approves or cancels it: the customer's address looks like the affiliate's own.",
  visit_after_sale:
    'Held until a person approves or cancels it: the referral id names a visit that was made after the sale.',
  dispute: 'Held while the customer disputes the payment.',
  terms_not_accepted: 'Held until the affiliate accepts the terms of the program.',
}
export type PartNothing = keyof typeof nothing
const nothing = {
  max_commissions_reached: 'the referral already had as many commissions as the rule allows',
  commission_period_over: 'the commission period had ended',
  rule_earns_nothing: 'the rule says that it earns nothing',
}

const theRule = (name: string | null) => (name === null ? 'The rule' : `The rule "${name}"`)
const byRule = ({ isByRule, rule }: Part) =>
  isByRule ? (rule === null ? ', by a rule' : `, by the rule "${rule}"`) : ''
const partOf = (part: Part) =>
  (part.name ?? (part.isOneOfSeveral ? 'A part of the sale' : 'The rest of the sale')) + byRule(part)
const version = (number: number | null) => (number === null ? '' : ` (version ${number} of the rules)`)

/** "12 sales", or "1200.00 USD of revenue". */
export const measured = ({ measure, value, currency }: Measured, w: Writer) => {
  if (measure === 'conversions') return value === 1n ? '1 sale' : `${w.count(value)} sales`
  return `${w.money({ cents: value, currency })} of ${measure}`
}
const left = (paid: Money | null, w: Writer) => (paid ? `, of which ${w.money(paid)} is paid` : '')

/** Why a correction was made, for readers who do not see the reason that is stored. */
const corrections = {
  tiers: 'your sales of the period have reached another step',
  rules: 'what a sale earns has changed after it was paid',
}

/**
 * Why a sale earned what it did. The other languages are typed as this one. The API promises these sentences word for
 * word.
 */
export const why = {
  attributed: ({
    by,
    missed,
  }: {
    by: AttributionSignal
    missed: { signal: AttributionSignal; miss: SignalMiss }[]
  }) => {
    const tried = missed.map(({ signal, miss }) => `${signals[signal]} ${signalMisses[miss]}`)
    return `Attributed by ${signals[by]}.${tried.length > 0 ? ` Tried before: ${tried.join('; ')}.` : ''}`
  },
  ownReward: (of: { version: number | null }) => `The campaign's own reward applies${version(of.version)}.`,
  rule: (of: Rule & { version: number | null }) =>
    of.rule === null ? 'A rule of the program applies.' : `The rule "${of.rule}" applies${version(of.version)}.`,
  /** `items`: it is about the items under a rule for products. `wholePeriod`: the sale itself counts. */
  tier: (
    of: Rule & {
      items: boolean
      period: Period
      wholePeriod: boolean
      from: Measured
      before: Measured
      earns: { basisPoints: number } | Money
    },
    w: Writer,
  ) => {
    const what = !of.items
      ? 'It earns'
      : of.rule === null
        ? 'Its items earn'
        : `By the rule "${of.rule}", its items earn`
    const earns = 'basisPoints' in of.earns ? w.percent(of.earns.basisPoints) : w.money(of.earns)
    const from = `${measured(of.from, w)} ${periods[of.period]}${of.wholePeriod ? ', with this one' : ''}`
    return `${what} by the step from ${from}: ${earns}. Before it, the affiliate had ${measured(of.before, w)} ${periods[of.period]}.`
  },
  byParts: ({ areItems, earned }: { areItems: boolean; earned: Money }, w: Writer) =>
    `${areItems ? 'The items' : 'The parts of the sale'} earn by themselves, each rounded half up: ${w.money(earned)} in all.`,
  percent: (of: { basisPoints: number; base: Money; beforeRefunds: Money | null; earned: Money }, w: Writer) =>
    `${w.percent(of.basisPoints)} of ${w.money(of.base)}${of.beforeRefunds ? ` (${w.money(of.beforeRefunds)} before refunds)` : ''} is ${w.money(of.earned)}, rounded half up.`,
  refundedInFull: () => 'The sale was refunded in full, so the fixed amount is not earned.',
  fixed: ({ earned }: { earned: Money }, w: Writer) => `Each sale earns a fixed ${w.money(earned)}.`,
  partNothing: (of: Part & { reason: keyof typeof nothing }) =>
    `${partOf(of)}: nothing, because ${nothing[of.reason]}.`,
  partPercent: (of: Part & Paid & { basisPoints: number; base: Money }, w: Writer) =>
    `${partOf(of)}: ${w.percent(of.basisPoints)} of ${w.money(of.base)} is ${w.money(of.earned)}${left(of.paid, w)}.`,
  partFixed: (of: Part & Paid & { units: number | null }, w: Writer) =>
    `${partOf(of)}: a fixed ${w.money(of.earned)}${of.units === null ? '' : ` for ${of.units} units`}${left(of.paid, w)}.`,
  cap: (of: Rule & { per: CapSpan; most: Money; used: Money | null; left: Money; unpaid: Money }, w: Writer) =>
    `${theRule(of.rule)} pays at most ${w.money(of.most)} for ${spans[of.per]}${of.used ? `, of which ${w.money(of.used)} were earned before` : ''}: ${w.money(of.left)} is left, so ${w.money(of.unpaid)} is not paid.`,
  refundReversed: ({ refund, at }: { refund: Money; at: Date }, w: Writer) =>
    `A refund of ${w.money(refund)} was reversed on ${w.day(at)}, and does not count.`,
  void: ({ at }: { at: Date }, w: Writer) => `Cancelled since ${w.day(at)}.`,
  amended: ({ amount }: { amount: Money }, w: Writer) => `The amount was changed to ${w.money(amount)} by hand.`,
  amendedKept: ({ amount, byRule, rest }: { amount: Money; byRule: Money; rest: Money }, w: Writer) =>
    `The amount was changed to ${w.money(amount)} by hand. A refund leaves it: the rule gives ${w.money(byRule)} for the remaining ${w.money(rest)}, which is not less.`,
  amendedLowered: ({ rest }: { rest: Money }, w: Writer) =>
    `The amount had been changed by hand. A refund lowered it to what the rule gives for the remaining ${w.money(rest)}.`,
  held: ({ reason }: { reason: HeldReason }) => held[reason],
  credit: (of: { amount: Money; refund: Money; reversedAt: Date | string }, w: Writer) =>
    `Gives back ${w.money(of.amount)}: a refund of ${w.money(of.refund)} was reversed on ${w.day(of.reversedAt)}, after the commission was paid.`,
  debt: ({ amount, refund, paid }: { amount: Money; refund: Money; paid: Money }, w: Writer) =>
    `Deducts ${w.money(amount)}: ${w.money(refund)} of the sale was refunded after the commission of ${w.money(paid)} was paid.`,
  debtReversed: ({ at }: { at: Date }, w: Writer) => `The refund was reversed on ${w.day(at)}.`,
  mostCommissions: ({ counted }: { counted: { had: number; most: number | null } | null }) =>
    counted
      ? `No commission: the referral already had ${counted.had} of at most ${counted.most} commissions.`
      : 'No commission: the referral already had as many commissions as the campaign allows.',
  periodOver: ({ period }: { period: { months: number | null; endedAt: string } | null }, w: Writer) =>
    period
      ? `No commission: the commission period of ${period.months} months ended on ${w.day(period.endedAt)}.`
      : 'No commission: the commission period had ended.',
  capUsedUp: ({ cap }: { cap: { per: CapSpan; most: Money; used: Money } | null }, w: Writer) =>
    cap
      ? `No commission: the rule pays at most ${w.money(cap.most)} for ${spans[cap.per]}, and ${w.money(cap.used)} were earned before.`
      : 'No commission: the cap of the rule is used up.',
  earnsNothing: () => 'No commission: the rule says that such sales earn nothing.',
  attributionUndone: () => 'No commission: a person took back that the sale belongs to this affiliate.',
  selfReferral: () => 'No commission: the sale is a self-referral, which the campaign rejects.',
  roundsToZero: () => 'No commission: the amount rounds to 0.',
  unpaid: ({ at, reason }: { at: Date; reason: string | null }, w: Writer) =>
    `Unpaid again since ${w.day(at)}${reason === null ? '' : `: ${reason}`}.`,
  recalculated: (of: { isLower: boolean; by: Money; at: Date; reason: string | null }, w: Writer) =>
    `${of.isLower ? 'Lowered' : 'Raised'} by ${w.money(of.by)} on ${w.day(of.at)}${of.reason === null ? '' : `, because ${of.reason}`}.`,
  /** `giver` is null for readers who do not see who gave it. */
  given: (
    of: {
      what: 'bonus' | 'deducts' | 'adds'
      amount: Money
      by: 'rules' | 'tiers' | 'person'
      giver: string | null
      at: Date
      reason: string | null
    },
    w: Writer,
  ) => {
    const what = { bonus: 'A bonus of', deducts: 'A correction that deducts', adds: 'A correction that adds' }[of.what]
    const by =
      of.by === 'person'
        ? of.giver === null
          ? ''
          : `by ${of.giver} `
        : `by ${of.by === 'rules' ? 'the rules' : 'tiers'} `
    return `${what} ${w.money(of.amount)}, ${by}on ${w.day(of.at)}: ${of.by === 'person' ? of.reason : (of.reason ?? corrections[of.by])}.`
  },
  /** A correction by rules, as `given` says it: in the middle of a sentence. */
  corrected: ({ by }: { by: 'rules' | 'tiers' }) => corrections[by],
  lead: ({ reward, at, rule }: Rule & { reward: Money; at: Date }, w: Writer) =>
    `A reward of ${w.money(reward)} for a lead on ${w.day(at)}, by ${rule === null ? 'a rule' : `the rule "${rule}"`}. It is earned once per customer.`,
  dueGivesBack: () => 'Due at once, because it gives back what a refund had deducted.',
  dueDeducts: () => 'Due at once, because a refund after payment lowers the next payout.',
  /** `endsBy` is what ends a hold. Null if it is not held. */
  due: (
    { days, movedTo, endsBy }: { days: number; movedTo: Date | null; endsBy: 'approval' | 'itself' | null },
    w: Writer,
  ) => {
    const byRule = days === 0 ? 'at the time of the sale' : `${days} days after the sale`
    const due = movedTo ? `on ${w.day(movedTo)}, which was set by hand (by the rule: ${byRule})` : byRule
    if (endsBy === null) return `Due ${due}.`
    return `Held. ${endsBy === 'itself' ? 'Once nothing holds it' : 'Once approved'}, due ${due}.`
  },
  dueWithTiers: ({ at }: { at: Date }, w: Writer) =>
    `Due on ${w.day(at)}: with the last of the commissions that it is about, or as set by hand.`,
  dueMoved: ({ at }: { at: Date }, w: Writer) => `Due on ${w.day(at)}, which was set by hand.`,
  dueAtOnce: () => 'Due at once, because it waits for no return of a sale.',
  dueAfterLead: ({ at, days }: { at: Date; days: number }, w: Writer) =>
    `Due on ${w.day(at)}: ${days} day${days === 1 ? '' : 's'} after the lead.`,
}

export type WhyTexts = typeof why
/** A sentence of why as data. */
export type WhyLine = LineOf<WhyTexts>
