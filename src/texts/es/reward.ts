import type { Conditions, FlatRate, Limits, RewardNewsTexts, RewardTexts, Tiers } from '../en/reward.ts'
import { formsIn } from '../forms.ts'
import type { Writer } from '../writer.ts'

const n = formsIn('es')

const intervals = { one_off: 'de pago único', month: 'de pago mensual', year: 'de pago anual' }
const payments = {
  first: 'que son el primer pago de un cliente',
  renewal: 'que son pagos posteriores de un cliente',
  first_of_subscription: 'que son el primer pago de una suscripción',
}
const periods = { month: ' al mes', quarter: ' al trimestre', year: ' al año', ever: '' }
const spans = { sale: 'por venta', month: 'al mes', year: 'al año' }

const flat = (rate: FlatRate, w: Writer) =>
  rate === null ? 'nada' : 'basisPoints' in rate ? `el ${w.percent(rate.basisPoints)}` : `${w.money(rate)} cada una`

function reached({ measure, currency }: Tiers, value: bigint, w: Writer): string {
  if (measure === 'conversions') return n({ one: '# venta', other: '# ventas' })(Number(value))
  return `${w.money({ cents: value, currency })} en ${measure === 'revenue' ? 'ventas' : 'comisiones'}`
}

function byTiers(tiers: Tiers, w: Writer): string {
  const [first, ...more] = tiers.steps
  const steps = more.map(
    ({ from, rate }) => `a partir de ${reached(tiers, from, w)}${periods[tiers.period]} ${flat(rate, w)}`,
  )
  const of = tiers.wholePeriod ? ' (de todas las ventas del periodo)' : ''
  return `${[flat(first?.rate ?? null, w), ...steps].join(', ')}${of}`
}

function conditionsOf(of: Conditions, w: Writer): string {
  return [
    of.products.length > 0 && `de ${w.or(of.products)}`,
    of.coupons.length > 0 && `con el cupón ${w.or(of.coupons)}`,
    of.intervals.length > 0 && w.or(of.intervals.map((one) => intervals[one])),
    of.payment && payments[of.payment],
    of.atLeast && `de al menos ${w.money(of.atLeast)}`,
    of.atMost && `de ${w.money(of.atMost)} como máximo`,
    of.currency && `en ${of.currency}`,
    of.customersSince && `a clientes que compren por primera vez después del ${w.day(of.customersSince)}`,
  ]
    .filter(Boolean)
    .join(', ')
}

function limitsOf({ most, months, caps, until }: Limits, w: Writer): string {
  const limits = [
    most !== null &&
      n({ one: 'como máximo # comisión por cliente', other: 'como máximo # comisiones por cliente' })(most),
    months !== null &&
      n({ one: 'durante # mes desde la primera compra', other: 'durante # meses desde la primera compra' })(months),
    ...caps.map(({ per, most }) => `como máximo ${w.money(most)} ${spans[per]}`),
    until && `hasta el ${w.day(until)}`,
  ].filter(Boolean)
  return limits.length > 0 ? ` (${limits.join('; ')})` : ''
}

const limit = n({ one: ', durante # mes desde su primera compra', other: ', durante # meses desde su primera compra' })
const most = n({
  one: 'Gana como máximo # comisión por cliente.',
  other: 'Gana como máximo # comisiones por cliente.',
})
const dueAfter = n({
  one: 'Las comisiones vencen # día después de la venta.',
  other: 'Las comisiones vencen # días después de la venta.',
})

export const reward: RewardTexts = {
  earn: ({ rate, months }, w) => {
    const end = months === null ? '' : limit(months)
    if ('tiers' in rate)
      return `Por las ventas a un cliente que recomiende${end}, usted gana: ${byTiers(rate.tiers, w)}.`
    if (rate.flat === null) return 'Las demás ventas no dan nada.'
    const earned =
      'basisPoints' in rate.flat ? `el ${w.percent(rate.flat.basisPoints)} de` : `${w.money(rate.flat)} por`
    return `Usted gana ${earned} cada venta a un cliente que recomiende${end}.`
  },
  most: ({ count }) => most(count),
  cap: ({ per, most }, w) => `Gana como máximo ${w.money(most)} ${spans[per]}.`,
  until: ({ at }, w) => `Esto vale hasta el ${w.day(at)}.`,
  special: ({ conditions, rate, limits }, w) =>
    `Ventas ${conditionsOf(conditions, w)}: ${'tiers' in rate ? byTiers(rate.tiers, w) : flat(rate.flat, w)}${limitsOf(limits, w)}.`,
  lead: ({ amount, until }, w) =>
    `Gana ${w.money(amount)} por cada nuevo cliente potencial${until ? `, hasta el ${w.day(until)}` : ''}.`,
  due: ({ days }) => (days === 0 ? 'Las comisiones vencen de inmediato.' : dueAfter(days)),
}

const perSale = (rate: NonNullable<FlatRate>, w: Writer) =>
  'basisPoints' in rate ? `un ${w.percent(rate.basisPoints)}` : `${w.money(rate)} por venta`

export const rewardNews: RewardNewsTexts = {
  rate: ({ at, rate, old }, w) =>
    `A partir del ${w.day(at)}, usted gana ${perSale(rate, w)} en lugar de ${perSale(old, w)}.`,
  other: ({ at }, w) => `A partir del ${w.day(at)} cambia lo que gana.`,
  withdrawn: ({ at }, w) => `El cambio anunciado para el ${w.day(at)} queda sin efecto.`,
}
