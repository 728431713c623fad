import type { Conditions, FlatRate, Limits, RewardNewsTexts, RewardTexts, Tiers } from '../en/reward.ts'
import { formsIn } from '../forms.ts'
import type { Writer } from '../writer.ts'

const n = formsIn('fr')

const intervals = { one_off: 'facturées une fois', month: 'facturées au mois', year: "facturées à l'année" }
const payments = {
  first: "qui sont le premier paiement d'un client",
  renewal: "qui sont les paiements suivants d'un client",
  first_of_subscription: "qui sont le premier paiement d'un abonnement",
}
const periods = { month: ' dans le mois', quarter: ' dans le trimestre', year: " dans l'année", ever: '' }
const spans = { sale: 'par vente', month: 'par mois', year: 'par an' }

const flat = (rate: FlatRate, w: Writer) =>
  rate === null ? 'rien' : 'basisPoints' in rate ? w.percent(rate.basisPoints) : `${w.money(rate)} chacune`

function reached({ measure, currency }: Tiers, value: bigint, w: Writer): string {
  if (measure === 'conversions') return n({ one: '# vente', other: '# ventes' })(Number(value))
  return `${w.money({ cents: value, currency })} de ${measure === 'revenue' ? 'ventes' : 'commissions'}`
}

function byTiers(tiers: Tiers, w: Writer): string {
  const [first, ...more] = tiers.steps
  const steps = more.map(
    ({ from, rate }) => `à partir de ${reached(tiers, from, w)}${periods[tiers.period]} ${flat(rate, w)}`,
  )
  const of = tiers.wholePeriod ? ' (pour toutes les ventes de la période)' : ''
  return `${[flat(first?.rate ?? null, w), ...steps].join(', ')}${of}`
}

function conditionsOf(of: Conditions, w: Writer): string {
  return [
    of.products.length > 0 && `de ${w.or(of.products)}`,
    of.coupons.length > 0 && `avec le code promo ${w.or(of.coupons)}`,
    of.intervals.length > 0 && w.or(of.intervals.map((one) => intervals[one])),
    of.payment && payments[of.payment],
    of.atLeast && `d'au moins ${w.money(of.atLeast)}`,
    of.atMost && `d'au plus ${w.money(of.atMost)}`,
    of.currency && `en ${of.currency}`,
    of.customersSince && `à des clients dont le premier achat suit le ${w.day(of.customersSince)}`,
  ]
    .filter(Boolean)
    .join(', ')
}

function limitsOf({ most, months, caps, until }: Limits, w: Writer): string {
  const limits = [
    most !== null && n({ one: 'au plus # commission par client', other: 'au plus # commissions par client' })(most),
    months !== null && n({ other: 'pendant # mois à partir du premier achat' })(months),
    ...caps.map(({ per, most }) => `au plus ${w.money(most)} ${spans[per]}`),
    until && `jusqu'au ${w.day(until)}`,
  ].filter(Boolean)
  return limits.length > 0 ? ` (${limits.join(' ; ')})` : ''
}

const limit = n({ other: ', pendant # mois à partir de son premier achat' })
const most = n({
  one: 'Vous gagnez au plus # commission par client.',
  other: 'Vous gagnez au plus # commissions par client.',
})
const dueAfter = n({
  one: 'Les commissions sont dues # jour après la vente.',
  other: 'Les commissions sont dues # jours après la vente.',
})

export const reward: RewardTexts = {
  earn: ({ rate, months }, w) => {
    const end = months === null ? '' : limit(months)
    if ('tiers' in rate)
      return `Vous gagnez, sur les ventes à un client que vous recommandez${end} : ${byTiers(rate.tiers, w)}.`
    if (rate.flat === null) return 'Les autres ventes ne rapportent rien.'
    const earned = 'basisPoints' in rate.flat ? `${w.percent(rate.flat.basisPoints)} de` : `${w.money(rate.flat)} pour`
    return `Vous gagnez ${earned} chaque vente réalisée auprès d'un client que vous recommandez${end}.`
  },
  most: ({ count }) => most(count),
  cap: ({ per, most }, w) => `Vous gagnez au plus ${w.money(most)} ${spans[per]}.`,
  until: ({ at }, w) => `C'est valable jusqu'au ${w.day(at)}.`,
  special: ({ conditions, rate, limits }, w) =>
    `Ventes ${conditionsOf(conditions, w)} : ${'tiers' in rate ? byTiers(rate.tiers, w) : flat(rate.flat, w)}${limitsOf(limits, w)}.`,
  lead: ({ amount, until }, w) =>
    `Vous gagnez ${w.money(amount)} pour chaque nouveau prospect${until ? `, jusqu'au ${w.day(until)}` : ''}.`,
  due: ({ days }) => (days === 0 ? 'Les commissions sont dues immédiatement.' : dueAfter(days)),
}

const perSale = (rate: NonNullable<FlatRate>, w: Writer) =>
  'basisPoints' in rate ? w.percent(rate.basisPoints) : `${w.money(rate)} par vente`

export const rewardNews: RewardNewsTexts = {
  rate: ({ at, rate, old }, w) =>
    `À partir du ${w.day(at)}, vous gagnez ${perSale(rate, w)} au lieu de ${perSale(old, w)}.`,
  other: ({ at }, w) => `À partir du ${w.day(at)}, votre rémunération n'est plus la même.`,
  withdrawn: ({ at }, w) => `Le changement annoncé pour le ${w.day(at)} n'aura pas lieu.`,
}
