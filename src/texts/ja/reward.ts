import type { Conditions, FlatRate, Limits, RewardNewsTexts, RewardTexts, Tiers } from '../en/reward.ts'
import { formsIn } from '../forms.ts'
import type { Writer } from '../writer.ts'

const n = formsIn('ja')

const intervals = { one_off: '一括払い', month: '月払い', year: '年払い' }
const payments = {
  first: 'お客様の初回のお支払い',
  renewal: 'お客様の2回目以降のお支払い',
  first_of_subscription: '定期購入の初回のお支払い',
}
const periods = { month: '月に', quarter: '四半期に', year: '年に', ever: '累計' }
const spans = { sale: '売上1件につき', month: '1か月に', year: '1年に' }

const flat = (rate: FlatRate, w: Writer) =>
  rate === null ? '報酬なし' : 'basisPoints' in rate ? w.percent(rate.basisPoints) : `1件につき${w.money(rate)}`

function reached({ measure, currency }: Tiers, value: bigint, w: Writer): string {
  if (measure === 'conversions') return n({ other: '売上#件' })(Number(value))
  return `${measure === 'revenue' ? '売上' : '報酬'}${w.money({ cents: value, currency })}`
}

function byTiers(tiers: Tiers, w: Writer): string {
  const [first, ...more] = tiers.steps
  const steps = more.map(({ from, rate }) => `${periods[tiers.period]}${reached(tiers, from, w)}から${flat(rate, w)}`)
  const of = tiers.wholePeriod ? '（期間のすべての売上が対象）' : ''
  return `${[flat(first?.rate ?? null, w), ...steps].join('、')}${of}`
}

function conditionsOf(of: Conditions, w: Writer): string {
  return [
    of.products.length > 0 && w.or(of.products),
    of.coupons.length > 0 && `クーポン${w.or(of.coupons)}`,
    of.intervals.length > 0 && w.or(of.intervals.map((one) => intervals[one])),
    of.payment && payments[of.payment],
    of.atLeast && `${w.money(of.atLeast)}以上`,
    of.atMost && `${w.money(of.atMost)}以下`,
    of.currency && `${of.currency}建て`,
    of.customersSince && `${w.day(of.customersSince)}より後に初めて購入したお客様`,
  ]
    .filter(Boolean)
    .join('、')
}

function limitsOf({ most, months, caps, until }: Limits, w: Writer): string {
  const limits = [
    most !== null && n({ other: 'お客様1人につき最大#件' })(most),
    months !== null && n({ other: '最初の購入から#か月間' })(months),
    ...caps.map(({ per, most }) => `${spans[per]}最大${w.money(most)}`),
    until && `${w.day(until)}まで`,
  ].filter(Boolean)
  return limits.length > 0 ? `（${limits.join('、')}）` : ''
}

const limit = n({ other: '（最初の購入から#か月間）' })
const most = n({ other: '報酬はお客様1人につき最大#件です。' })
const dueAfter = n({ other: '報酬は売上の#日後にお支払いの対象になります。' })

export const reward: RewardTexts = {
  earn: ({ rate, months }, w) => {
    const end = months === null ? '' : limit(months)
    if ('tiers' in rate) return `ご紹介いただいたお客様の売上に報酬が発生します${end}：${byTiers(rate.tiers, w)}。`
    if (rate.flat === null) return 'その他の売上に報酬はありません。'
    const earned = 'basisPoints' in rate.flat ? w.percent(rate.flat.basisPoints) : w.money(rate.flat)
    return `ご紹介いただいたお客様の売上ごとに${earned}の報酬が発生します${end}。`
  },
  most: ({ count }) => most(count),
  cap: ({ per, most }, w) => `報酬は${spans[per]}最大${w.money(most)}です。`,
  until: ({ at }, w) => `この条件は${w.day(at)}までです。`,
  special: ({ conditions, rate, limits }, w) =>
    `${conditionsOf(conditions, w)}の売上：${'tiers' in rate ? byTiers(rate.tiers, w) : flat(rate.flat, w)}${limitsOf(limits, w)}。`,
  lead: ({ amount, until }, w) =>
    `新しいリード1件につき${w.money(amount)}の報酬が発生します${until ? `（${w.day(until)}まで）` : ''}。`,
  due: ({ days }) => (days === 0 ? '報酬はすぐにお支払いの対象になります。' : dueAfter(days)),
}

const perSale = (rate: NonNullable<FlatRate>, w: Writer) =>
  'basisPoints' in rate ? `売上の${w.percent(rate.basisPoints)}` : `売上1件につき${w.money(rate)}`

export const rewardNews: RewardNewsTexts = {
  rate: ({ at, rate, old }, w) => `${w.day(at)}以降の報酬は、${perSale(old, w)}から${perSale(rate, w)}に変わります。`,
  other: ({ at }, w) => `${w.day(at)}以降、報酬の条件が変わります。`,
  withdrawn: ({ at }, w) => `${w.day(at)}に予定されていた変更は取りやめになりました。`,
}
