import type { Conditions, FlatRate, Limits, RewardNewsTexts, RewardTexts, Tiers } from '../en/reward.ts'
import { formsIn } from '../forms.ts'
import type { Writer } from '../writer.ts'

const n = formsIn('de')

const intervals = { one_off: 'einmaliger Abrechnung', month: 'monatlicher Abrechnung', year: 'jährlicher Abrechnung' }
const payments = {
  first: 'erste Zahlung eines Kunden',
  renewal: 'spätere Zahlungen eines Kunden',
  first_of_subscription: 'erste Zahlung eines Abonnements',
}
const periods = { month: ' im Monat', quarter: ' im Quartal', year: ' im Jahr', ever: '' }
const spans = { sale: 'pro Verkauf', month: 'pro Monat', year: 'pro Jahr' }

const flat = (rate: FlatRate, w: Writer) =>
  rate === null ? 'nichts' : 'basisPoints' in rate ? w.percent(rate.basisPoints) : `je ${w.money(rate)}`

function reached({ measure, currency }: Tiers, value: bigint, w: Writer): string {
  if (measure === 'conversions') return n({ one: '# Verkauf', other: '# Verkäufen' })(Number(value))
  return `${w.money({ cents: value, currency })} ${measure === 'revenue' ? 'Umsatz' : 'Provisionen'}`
}

function byTiers(tiers: Tiers, w: Writer): string {
  const [first, ...more] = tiers.steps
  const steps = more.map(({ from, rate }) => `ab ${reached(tiers, from, w)}${periods[tiers.period]} ${flat(rate, w)}`)
  const of = tiers.wholePeriod ? ' (für alle Verkäufe des Zeitraums)' : ''
  return `${[flat(first?.rate ?? null, w), ...steps].join(', ')}${of}`
}

function conditionsOf(of: Conditions, w: Writer): string {
  return [
    of.products.length > 0 && `von ${w.or(of.products)}`,
    of.coupons.length > 0 && `mit dem Gutscheincode ${w.or(of.coupons)}`,
    of.intervals.length > 0 && `mit ${w.or(of.intervals.map((one) => intervals[one]))}`,
    of.payment && payments[of.payment],
    of.atLeast && `ab ${w.money(of.atLeast)}`,
    of.atMost && `bis ${w.money(of.atMost)}`,
    of.currency && `in ${of.currency}`,
    of.customersSince && `an Kunden, die nach dem ${w.day(of.customersSince)} zum ersten Mal kaufen`,
  ]
    .filter(Boolean)
    .join(', ')
}

function limitsOf({ most, months, caps, until }: Limits, w: Writer): string {
  const limits = [
    most !== null && n({ one: 'höchstens # Provision pro Kunde', other: 'höchstens # Provisionen pro Kunde' })(most),
    months !== null && n({ one: '# Monat lang ab dem ersten Kauf', other: '# Monate lang ab dem ersten Kauf' })(months),
    ...caps.map(({ per, most }) => `höchstens ${w.money(most)} ${spans[per]}`),
    until && `bis ${w.day(until)}`,
  ].filter(Boolean)
  return limits.length > 0 ? ` (${limits.join('; ')})` : ''
}

const limit = n({ one: ', # Monat lang ab dem ersten Kauf', other: ', # Monate lang ab dem ersten Kauf' })
const most = n({
  one: 'Sie verdienen höchstens # Provision pro Kunde.',
  other: 'Sie verdienen höchstens # Provisionen pro Kunde.',
})
const dueAfter = n({
  one: 'Provisionen sind # Tag nach dem Verkauf fällig.',
  other: 'Provisionen sind # Tage nach dem Verkauf fällig.',
})

export const reward: RewardTexts = {
  earn: ({ rate, months }, w) => {
    const end = months === null ? '' : limit(months)
    if ('tiers' in rate) return `Sie verdienen an Kunden, die Sie empfehlen${end}: ${byTiers(rate.tiers, w)}.`
    if (rate.flat === null) return 'Andere Verkäufe bringen nichts.'
    const earned =
      'basisPoints' in rate.flat
        ? `${w.percent(rate.flat.basisPoints)} jedes Verkaufs`
        : `${w.money(rate.flat)} für jeden Verkauf`
    return `Sie verdienen ${earned} an Kunden, die Sie empfehlen${end}.`
  },
  most: ({ count }) => most(count),
  cap: ({ per, most }, w) => `Sie verdienen höchstens ${w.money(most)} ${spans[per]}.`,
  until: ({ at }, w) => `Das gilt bis ${w.day(at)}.`,
  special: ({ conditions, rate, limits }, w) =>
    `Verkäufe ${conditionsOf(conditions, w)}: ${'tiers' in rate ? byTiers(rate.tiers, w) : flat(rate.flat, w)}${limitsOf(limits, w)}.`,
  lead: ({ amount, until }, w) =>
    `Sie verdienen ${w.money(amount)} für jeden neuen Lead${until ? `, bis ${w.day(until)}` : ''}.`,
  due: ({ days }) => (days === 0 ? 'Provisionen sind sofort fällig.' : dueAfter(days)),
}

const perSale = (rate: NonNullable<FlatRate>, w: Writer) =>
  'basisPoints' in rate ? w.percent(rate.basisPoints) : `${w.money(rate)} pro Verkauf`

export const rewardNews: RewardNewsTexts = {
  rate: ({ at, rate, old }, w) => `Ab dem ${w.day(at)} verdienen Sie ${perSale(rate, w)} statt ${perSale(old, w)}.`,
  other: ({ at }, w) => `Ab dem ${w.day(at)} gilt für Sie eine andere Vergütung.`,
  withdrawn: ({ at }, w) => `Die für den ${w.day(at)} angekündigte Änderung entfällt.`,
}
