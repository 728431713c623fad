import type { AttributionSignal, HeldReason } from '../../generated/prisma/enums.ts'
import type { CapSpan, Measured, Part, PartNothing, Period, SignalMiss, WhyTexts } from '../en/why.ts'
import type { Money, Writer } from '../writer.ts'

const signals: Record<AttributionSignal, string> = {
  referral_id: '紹介ID',
  coupon: 'クーポン',
  agent: 'エージェントの申告',
  email: 'お客様のメールアドレス',
  manual: '担当者の操作',
}
const signalMisses: Record<SignalMiss, string> = {
  not_usable: '使用できませんでした',
  not_found: '該当がありませんでした',
  expired: '期限切れの紹介でした',
  affiliate_not_active: '有効でないアフィリエイトでした',
  archived: 'アーカイブ済み、またはキャンペーンがアーカイブ済みでした',
}
const spans: Record<CapSpan, string> = { sale: '売上1件', month: '1か月', year: '1年' }
const periods: Record<Period, string> = { month: 'その月', quarter: 'その四半期', year: 'その年', ever: '累計' }
const suspected = '保留中：ご自身の購入の可能性があるため、プログラムが確認します。'
const held: Record<HeldReason, string> = {
  self_referral_email: suspected,
  self_referral_domain: suspected,
  self_referral_lookalike: '保留中：お客様のアドレスがアフィリエイトのアドレスに似ているため、プログラムが確認します。',
  visit_after_sale: '保留中：紹介IDが売上より後の訪問を指しているため、プログラムが確認します。',
  dispute: '保留中：お客様がお支払いに異議を申し立てています。',
  terms_not_accepted: '保留中：プログラムの規約への同意が必要です。',
}
const nothing: Record<PartNothing, string> = {
  max_commissions_reached: 'このお客様の報酬がルールの上限件数に達しているため',
  commission_period_over: 'このお客様の報酬期間が終了しているため',
  rule_earns_nothing: 'ルールにより報酬の対象外のため',
}

const theRule = (name: string | null) => (name === null ? 'ルール' : `ルール「${name}」`)
const byRule = ({ isByRule, rule }: Part) =>
  isByRule ? (rule === null ? '（ルール適用）' : `（ルール「${rule}」）`) : ''
const partOf = (part: Part) => (part.name ?? (part.isOneOfSeveral ? '売上の一部' : '売上の残り')) + byRule(part)
const version = (number: number | null) => (number === null ? '' : `（ルールのバージョン${number}）`)
function measured({ measure, value, currency }: Measured, w: Writer): string {
  if (measure === 'conversions') return `売上${w.count(value)}件`
  return `${measure === 'revenue' ? '売上' : '報酬'}${w.money({ cents: value, currency })}`
}
const left = (paid: Money | null, w: Writer) => (paid ? `（うちお支払いは${w.money(paid)}）` : '')

const corrections = { tiers: '期間中の売上が別の段階に達したため', rules: '支払い後に売上の報酬が変わったため' }

export const why: WhyTexts = {
  attributed: ({ by, missed }) => {
    const tried = missed.map(({ signal, miss }) => `${signals[signal]}は${signalMisses[miss]}`)
    return `${signals[by]}により紹介と判定されました。${tried.length > 0 ? `先に試したもの：${tried.join('、')}。` : ''}`
  },
  ownReward: (of) => `キャンペーンの標準の報酬が適用されます${version(of.version)}。`,
  rule: (of) =>
    of.rule === null
      ? 'プログラムのルールが適用されます。'
      : `ルール「${of.rule}」が適用されます${version(of.version)}。`,
  tier: (of, w) => {
    const what = !of.items ? 'この売上' : of.rule === null ? 'この商品' : `ルール「${of.rule}」により、この商品`
    const earns = 'basisPoints' in of.earns ? w.percent(of.earns.basisPoints) : w.money(of.earns)
    const from = `${periods[of.period]}の${measured(of.from, w)}${of.wholePeriod ? '（今回を含む）' : ''}`
    return `${what}には${from}からの段階が適用されます：${earns}。それまでの実績は${measured(of.before, w)}です。`
  },
  byParts: ({ areItems, earned }, w) =>
    `${areItems ? '商品' : '売上の各部分'}ごとに計算し、それぞれ四捨五入します：合計${w.money(earned)}。`,
  percent: (of, w) =>
    `${w.money(of.base)}${of.beforeRefunds ? `（返金前は${w.money(of.beforeRefunds)}）` : ''}の${w.percent(of.basisPoints)}は${w.money(of.earned)}です（四捨五入）。`,
  refundedInFull: () => '売上が全額返金されたため、定額の報酬は発生しません。',
  fixed: ({ earned }, w) => `売上1件につき定額${w.money(earned)}です。`,
  partNothing: (of) => `${partOf(of)}：${nothing[of.reason]}、報酬はありません。`,
  partPercent: (of, w) =>
    `${partOf(of)}：${w.money(of.base)}の${w.percent(of.basisPoints)}は${w.money(of.earned)}です${left(of.paid, w)}。`,
  partFixed: (of, w) =>
    `${partOf(of)}：定額${w.money(of.earned)}${of.units === null ? '' : `（${of.units}点分）`}${left(of.paid, w)}。`,
  cap: (of, w) =>
    `${theRule(of.rule)}の上限は${spans[of.per]}につき${w.money(of.most)}です${of.used ? `（${w.money(of.used)}は獲得済み）` : ''}。残りは${w.money(of.left)}のため、${w.money(of.unpaid)}は支払われません。`,
  refundReversed: ({ refund, at }, w) => `${w.money(refund)}の返金は${w.day(at)}に取り消されたため、数えません。`,
  void: ({ at }, w) => `${w.day(at)}に取り消されました。`,
  amended: ({ amount }, w) => `金額は手動で${w.money(amount)}に変更されました。`,
  amendedKept: ({ amount, byRule, rest }, w) =>
    `金額は手動で${w.money(amount)}に変更されました。残りの${w.money(rest)}に対するルールの報酬は${w.money(byRule)}で、これを下回らないため、返金があっても変わりません。`,
  amendedLowered: ({ rest }, w) =>
    `金額は手動で変更されていましたが、返金により、残りの${w.money(rest)}に対するルールの報酬まで下がりました。`,
  held: ({ reason }) => held[reason],
  credit: (of, w) =>
    `${w.money(of.amount)}を戻します：報酬のお支払い後、${w.money(of.refund)}の返金が${w.day(of.reversedAt)}に取り消されました。`,
  debt: ({ amount, refund, paid }, w) =>
    `${w.money(amount)}を差し引きます：報酬${w.money(paid)}のお支払い後に、売上のうち${w.money(refund)}が返金されました。`,
  debtReversed: ({ at }, w) => `返金は${w.day(at)}に取り消されました。`,
  mostCommissions: ({ counted }) =>
    counted
      ? `報酬なし：このお客様の報酬は最大${counted.most}件のうち${counted.had}件に達しています。`
      : '報酬なし：このお客様の報酬はキャンペーンの上限件数に達しています。',
  periodOver: ({ period }, w) =>
    period
      ? `報酬なし：${period.months}か月の報酬期間は${w.day(period.endedAt)}に終了しました。`
      : '報酬なし：報酬期間が終了していました。',
  capUsedUp: ({ cap }, w) =>
    cap
      ? `報酬なし：ルールの上限は${spans[cap.per]}につき${w.money(cap.most)}で、すでに${w.money(cap.used)}を獲得しています。`
      : '報酬なし：ルールの上限に達しています。',
  earnsNothing: () => '報酬なし：ルールにより、このような売上は対象外です。',
  attributionUndone: () => '報酬なし：この売上の紐付けは取り消されました。',
  selfReferral: () => '報酬なし：ご自身の購入はキャンペーンの対象外です。',
  roundsToZero: () => '報酬なし：四捨五入すると0になります。',
  unpaid: ({ at, reason }, w) => `${w.day(at)}に未払いに戻りました${reason === null ? '' : `：${reason}`}。`,
  recalculated: (of, w) =>
    `${w.day(of.at)}に${w.money(of.by)}${of.isLower ? '減額' : '増額'}されました${of.reason === null ? '' : `：${of.reason}`}。`,
  given: (of, w) => {
    const what = { bonus: 'ボーナス', deducts: '減額の調整', adds: '増額の調整' }
    const by = { rules: '（ルール）', tiers: '（段階）', person: of.giver === null ? '' : `（${of.giver}）` }
    return `${what[of.what]}${w.money(of.amount)}${by[of.by]}、${w.day(of.at)}：${of.by === 'person' ? of.reason : (of.reason ?? corrections[of.by])}。`
  },
  corrected: ({ by }) => corrections[by],
  lead: ({ reward, at, rule }, w) =>
    `${w.day(at)}のリードに対する${w.money(reward)}（${rule === null ? 'ルール適用' : `ルール「${rule}」`}）。お客様1人につき1回です。`,
  dueGivesBack: () => '返金で差し引かれた分を戻すため、すぐにお支払いの対象になります。',
  dueDeducts: () => 'お支払い後の返金により次回のお支払いから差し引くため、すぐに対象になります。',
  due: ({ days, movedTo, endsBy }, w) => {
    const byRule = days === 0 ? '売上と同時' : `売上の${days}日後`
    const due = movedTo ? `${w.day(movedTo)}（手動で設定。ルールでは${byRule}）` : byRule
    if (endsBy === null) return `お支払いの対象になるのは${due}です。`
    return `保留中です。${endsBy === 'itself' ? '保留の理由がなくなる' : '承認される'}と、${due}にお支払いの対象になります。`
  },
  dueWithTiers: ({ at }, w) =>
    `お支払いの対象になるのは${w.day(at)}です（対象の最後の報酬と同じ日、または手動で設定）。`,
  dueMoved: ({ at }, w) => `お支払いの対象になるのは${w.day(at)}です（手動で設定）。`,
  dueAtOnce: () => '返品を待つ売上がないため、すぐにお支払いの対象になります。',
  dueAfterLead: ({ at, days }, w) => `お支払いの対象になるのは${w.day(at)}（リードの${days}日後）です。`,
}
