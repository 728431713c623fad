import { formsIn } from '../forms.ts'
import type { LineOf, Money, Writer } from '../writer.ts'

const n = formsIn('en')

/** What a sale earns. `null`: nothing. */
export type FlatRate = { basisPoints: number } | Money | null
export type Measure = 'conversions' | 'revenue' | 'commissions'
export type Tiers = {
  measure: Measure
  period: 'month' | 'quarter' | 'year' | 'ever'
  wholePeriod: boolean
  currency: string
  steps: { from: bigint; rate: FlatRate }[]
}
export type Rate = { flat: FlatRate } | { tiers: Tiers }
export type Span = 'sale' | 'month' | 'year'

/** What has to hold for a sale. Null, or empty: no condition. */
export type Conditions = {
  coupons: string[]
  products: string[]
  intervals: ('one_off' | 'month' | 'year')[]
  payment: 'first' | 'renewal' | 'first_of_subscription' | null
  atLeast: Money | null
  atMost: Money | null
  currency: string | null
  /** For customers whose first sale comes from then on. */
  customersSince: Date | null
}

export const noConditions: Conditions = {
  coupons: [],
  products: [],
  intervals: [],
  payment: null,
  atLeast: null,
  atMost: null,
  currency: null,
  customersSince: null,
}

/** What limits a reward. Null, or empty: nothing. */
export type Limits = {
  most: number | null
  months: number | null
  caps: { per: Span; most: Money }[]
  until: Date | null
}

const intervals = { one_off: 'billed once', month: 'billed monthly', year: 'billed yearly' }
const payments = {
  first: "that are a customer's first payment",
  renewal: 'that are later payments of a customer',
  first_of_subscription: 'that are the first payment of a subscription',
}
const periods = { month: ' in a month', quarter: ' in a quarter', year: ' in a year', ever: '' }
const spans = { sale: 'for a sale', month: 'in a month', year: 'in a year' }

const flat = (rate: FlatRate, w: Writer) =>
  rate === null ? 'nothing' : 'basisPoints' in rate ? w.percent(rate.basisPoints) : `${w.money(rate)} each`

function reached({ measure, currency }: Tiers, value: bigint, w: Writer): string {
  if (measure === 'conversions') return n({ one: '# sale', other: '# sales' })(Number(value))
  const amount = w.money({ cents: value, currency })
  return measure === 'revenue' ? `${amount} of sales` : `${amount} of commissions`
}

function byTiers(tiers: Tiers, w: Writer): string {
  const [first, ...more] = tiers.steps
  const steps = more.map(({ from, rate }) => `${flat(rate, w)} from ${reached(tiers, from, w)}${periods[tiers.period]}`)
  const of = tiers.wholePeriod ? ' (of all sales of the period)' : ''
  return `${[flat(first?.rate ?? null, w), ...steps].join(', ')}${of}`
}

function conditionsOf(of: Conditions, w: Writer): string {
  return [
    of.products.length > 0 && `of ${w.or(of.products)}`,
    of.coupons.length > 0 && `with the coupon ${w.or(of.coupons)}`,
    of.intervals.length > 0 && w.or(of.intervals.map((one) => intervals[one])),
    of.payment && payments[of.payment],
    of.atLeast && `of at least ${w.money(of.atLeast)}`,
    of.atMost && `of at most ${w.money(of.atMost)}`,
    of.currency && `in ${of.currency}`,
    of.customersSince && `to customers who first buy after ${w.day(of.customersSince)}`,
  ]
    .filter(Boolean)
    .join(', ')
}

function limitsOf({ most, months, caps, until }: Limits, w: Writer): string {
  const limits = [
    most !== null && n({ one: 'at most # commission per customer', other: 'at most # commissions per customer' })(most),
    months !== null &&
      n({ one: 'for # month from their first sale', other: 'for # months from their first sale' })(months),
    ...caps.map(({ per, most }) => `at most ${w.money(most)} ${spans[per]}`),
    until && `until ${w.day(until)}`,
  ].filter(Boolean)
  return limits.length > 0 ? ` (${limits.join('; ')})` : ''
}

const limit = n({ one: ', for # month from their first sale', other: ', for # months from their first sale' })
const most = n({
  one: 'You earn at most # commission per customer.',
  other: 'You earn at most # commissions per customer.',
})
const dueAfter = n({
  one: 'Commissions are due # day after the sale.',
  other: 'Commissions are due # days after the sale.',
})

/** What an affiliate earns. The other languages are typed as this one. */
export const reward = {
  /** Of a sale that meets no other condition. */
  earn: ({ rate, months }: { rate: Rate; months: number | null }, w: Writer) => {
    const end = months === null ? '' : limit(months)
    if ('tiers' in rate) return `You earn from sales to customers you refer${end}: ${byTiers(rate.tiers, w)}.`
    if (rate.flat === null) return 'Other sales earn nothing.'
    const reward = 'basisPoints' in rate.flat ? `${w.percent(rate.flat.basisPoints)} of` : `${w.money(rate.flat)} for`
    return `You earn ${reward} each sale to a customer you refer${end}.`
  },
  most: ({ count }: { count: number }) => most(count),
  cap: ({ per, most }: { per: Span; most: Money }, w: Writer) => `You earn at most ${w.money(most)} ${spans[per]}.`,
  until: ({ at }: { at: Date }, w: Writer) => `This holds until ${w.day(at)}.`,
  special: ({ conditions, rate, limits }: { conditions: Conditions; rate: Rate; limits: Limits }, w: Writer) =>
    `Sales ${conditionsOf(conditions, w)}: ${'tiers' in rate ? byTiers(rate.tiers, w) : flat(rate.flat, w)}${limitsOf(limits, w)}.`,
  lead: ({ amount, until }: { amount: Money; until: Date | null }, w: Writer) =>
    `You earn ${w.money(amount)} for each new lead${until ? `, until ${w.day(until)}` : ''}.`,
  due: ({ days }: { days: number }) => (days === 0 ? 'Commissions are due immediately.' : dueAfter(days)),
}

export type RewardTexts = typeof reward
/** A sentence of what is earned, as data. */
export type RewardLine = LineOf<RewardTexts>

const perSale = (rate: NonNullable<FlatRate>, w: Writer) =>
  'basisPoints' in rate ? w.percent(rate.basisPoints) : `${w.money(rate)} per sale`

/** A change of what is earned. It can have begun, or be ahead. */
export const rewardNews = {
  /** Of a sale that meets no other condition. */
  rate: ({ at, rate, old }: { at: Date; rate: NonNullable<FlatRate>; old: NonNullable<FlatRate> }, w: Writer) =>
    `From ${w.day(at)} you earn ${perSale(rate, w)} instead of ${perSale(old, w)}.`,
  other: ({ at }: { at: Date }, w: Writer) => `From ${w.day(at)}, what you earn is different.`,
  /** It was announced. */
  withdrawn: ({ at }: { at: Date }, w: Writer) => `The change announced for ${w.day(at)} does not take place.`,
}

export type RewardNewsTexts = typeof rewardNews
export type RewardNewsLine = LineOf<RewardNewsTexts>
