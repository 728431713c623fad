import type { Conditions, FlatRate, Limits, RewardNewsTexts, RewardTexts, Tiers } from '../en/reward.ts'
import { formsIn } from '../forms.ts'
import type { Writer } from '../writer.ts'

const n = formsIn('pt')

const intervals = { one_off: 'de cobrança única', month: 'de cobrança mensal', year: 'de cobrança anual' }
const payments = {
  first: 'que são o primeiro pagamento de um cliente',
  renewal: 'que são pagamentos posteriores de um cliente',
  first_of_subscription: 'que são o primeiro pagamento de uma assinatura',
}
const periods = { month: ' no mês', quarter: ' no trimestre', year: ' no ano', ever: '' }
const spans = { sale: 'por venda', month: 'por mês', year: 'por ano' }

const flat = (rate: FlatRate, w: Writer) =>
  rate === null ? 'nada' : 'basisPoints' in rate ? w.percent(rate.basisPoints) : `${w.money(rate)} cada`

function reached({ measure, currency }: Tiers, value: bigint, w: Writer): string {
  if (measure === 'conversions') return n({ one: '# venda', other: '# vendas' })(Number(value))
  return `${w.money({ cents: value, currency })} em ${measure === 'revenue' ? 'vendas' : 'comissões'}`
}

function byTiers(tiers: Tiers, w: Writer): string {
  const [first, ...more] = tiers.steps
  const steps = more.map(
    ({ from, rate }) => `a partir de ${reached(tiers, from, w)}${periods[tiers.period]} ${flat(rate, w)}`,
  )
  const of = tiers.wholePeriod ? ' (de todas as vendas do período)' : ''
  return `${[flat(first?.rate ?? null, w), ...steps].join(', ')}${of}`
}

function conditionsOf(of: Conditions, w: Writer): string {
  return [
    of.products.length > 0 && `de ${w.or(of.products)}`,
    of.coupons.length > 0 && `com o cupom ${w.or(of.coupons)}`,
    of.intervals.length > 0 && w.or(of.intervals.map((one) => intervals[one])),
    of.payment && payments[of.payment],
    of.atLeast && `de pelo menos ${w.money(of.atLeast)}`,
    of.atMost && `de no máximo ${w.money(of.atMost)}`,
    of.currency && `em ${of.currency}`,
    of.customersSince && `a clientes que compram pela primeira vez depois de ${w.day(of.customersSince)}`,
  ]
    .filter(Boolean)
    .join(', ')
}

function limitsOf({ most, months, caps, until }: Limits, w: Writer): string {
  const limits = [
    most !== null && n({ one: 'no máximo # comissão por cliente', other: 'no máximo # comissões por cliente' })(most),
    months !== null &&
      n({ one: 'por # mês a partir da primeira compra', other: 'por # meses a partir da primeira compra' })(months),
    ...caps.map(({ per, most }) => `no máximo ${w.money(most)} ${spans[per]}`),
    until && `até ${w.day(until)}`,
  ].filter(Boolean)
  return limits.length > 0 ? ` (${limits.join('; ')})` : ''
}

const limit = n({ one: ', por # mês a partir da primeira compra', other: ', por # meses a partir da primeira compra' })
const most = n({
  one: 'Você ganha no máximo # comissão por cliente.',
  other: 'Você ganha no máximo # comissões por cliente.',
})
const dueAfter = n({
  one: 'As comissões vencem # dia depois da venda.',
  other: 'As comissões vencem # dias depois da venda.',
})

export const reward: RewardTexts = {
  earn: ({ rate, months }, w) => {
    const end = months === null ? '' : limit(months)
    if ('tiers' in rate) return `Nas vendas a um cliente que você indica${end}, você ganha: ${byTiers(rate.tiers, w)}.`
    if (rate.flat === null) return 'As outras vendas não rendem nada.'
    const earned = 'basisPoints' in rate.flat ? `${w.percent(rate.flat.basisPoints)} de` : `${w.money(rate.flat)} por`
    return `Você ganha ${earned} cada venda a um cliente que você indica${end}.`
  },
  most: ({ count }) => most(count),
  cap: ({ per, most }, w) => `Você ganha no máximo ${w.money(most)} ${spans[per]}.`,
  until: ({ at }, w) => `Isso vale até ${w.day(at)}.`,
  special: ({ conditions, rate, limits }, w) =>
    `Vendas ${conditionsOf(conditions, w)}: ${'tiers' in rate ? byTiers(rate.tiers, w) : flat(rate.flat, w)}${limitsOf(limits, w)}.`,
  lead: ({ amount, until }, w) =>
    `Você ganha ${w.money(amount)} por cada novo lead${until ? `, até ${w.day(until)}` : ''}.`,
  due: ({ days }) => (days === 0 ? 'As comissões vencem imediatamente.' : dueAfter(days)),
}

const perSale = (rate: NonNullable<FlatRate>, w: Writer) =>
  'basisPoints' in rate ? w.percent(rate.basisPoints) : `${w.money(rate)} por venda`

export const rewardNews: RewardNewsTexts = {
  rate: ({ at, rate, old }, w) =>
    `A partir de ${w.day(at)}, você ganha ${perSale(rate, w)} em vez de ${perSale(old, w)}.`,
  other: ({ at }, w) => `A partir de ${w.day(at)}, muda o que você ganha.`,
  withdrawn: ({ at }, w) => `A mudança anunciada para ${w.day(at)} não vai acontecer.`,
}
