// A second implementation of the service, as simple as possible: rows are in arrays, and every number is computed from
// all rows. It follows the contract, not the code of the service.

export const day = 86_400_000
/** What came up to this long after a sale counts for it, because clocks differ. */
const clockGrace = 600_000

export type Rule = {
  basisPoints: number | null
  amountCents: number | null
  daysBeforeDue: number
  daysBeforeExpiry: number
  maxCommissions: number | null
  maxMonths: number | null
  minimumPayout: number
  /** The minimum of payouts in euros, or null if they have no own. */
  minimumOfEuros: number | null
  /** The commission rule that it has the reward of. */
  deal?: Deal | undefined
  /** What the sale has earned, by the cap of the rule too. */
  granted?: number
}
type Version<T> = { at: number; value: T }
export type Campaign = { id: string; rule: Rule; versions: Version<Rule>[]; dealVersions: Version<Deal[]>[] }
/** A commission rule. Null is no condition. */
export type Deal = {
  id: string
  affiliate: Affiliate | null
  group: string | null
  /** The affiliate whose coupon has to be given. */
  coupon: Affiliate | null
  /** Whether it is for the first payment of a customer, or for later ones. */
  isFirst: boolean | null
  /** In US dollars. */
  minimum: number | null
  reward: Pick<Rule, 'basisPoints' | 'amountCents'>
  /** Percentages by the number of sales in the month, in basis points: the first is from 0. */
  steps: { from: number; basisPoints: number }[] | null
  cap: { perSale: number; perMonth: number } | null
  forNewCustomers: boolean
  createdAt: number
  startsAt: number
  endsAt: number | null
}
export type Affiliate = {
  id: string
  token: string
  coupon: string
  state: 'active' | 'disabled' | 'suspicious'
  campaign: Campaign
  campaigns: Version<Campaign>[]
  groups: Version<string[]>[]
}
export type Referral = {
  id: string
  affiliate: Affiliate
  campaign: Campaign
  byLink: boolean
  createdAt: number
  email: string | null
  leadAt: number | null
  convertedAt: number | null
  expiresAt: number
}
export type Refund = { externalId: string | null; id: string; amount: number; isReversed: boolean }
export type Sale = {
  id: string
  externalId: string
  referral: Referral
  email: string | null
  amount: number
  currency: string
  occurredAt: number
  refunded: number
  refunds: Refund[]
  /** What decided about the amount of its commission, in order: amounts that were set by hand, and refunds. */
  log: (number | Refund)[]
}
export type Commission = {
  id: string
  sale: Sale
  refundId: string | null
  amount: number
  currency: string
  rule: Rule
  occurredAt: number
  dueAt: number
  /** Whether a person has to approve it. */
  isHeld: boolean
  ended: null | 'paid' | 'void'
  /** Whether a refund has voided it last. */
  isVoidByRefund: boolean
  paidAt: number | null
  /** Whether it was marked as paid outside of any payout. */
  isPaidOutsidePayout: boolean
  /** The payout that was sent with it, while the result of the payment is not known. */
  sentIn: string | null
}
export type Unattributed = {
  id: string
  externalId: string
  email: string | null
  amount: number
  currency: string
  occurredAt: number
  coupon: Affiliate | null
}
export type WaitingRefund = {
  id: string
  saleExternalId: string
  externalId: string
  amount: number | null
  reportedAt: number
}
export type Payout = { id: string; affiliate: Affiliate; currency: string; amount: number }
/** A payout that is closed, or whose payment was sent, with its commissions. `runId` is the run that has paid it last. */
export type Closed = Payout & { state: 'sent' | 'paid' | 'failed'; members: Commission[]; runId: string | null }
/** The signals of a reported sale. */
export type Signals = { referral?: Referral; coupon?: Affiliate; email?: string }

export class Model {
  now: number
  campaigns: Campaign[] = []
  affiliates: Affiliate[] = []
  groups: string[] = []
  referrals: Referral[] = []
  sales: Sale[] = []
  commissions: Commission[] = []
  /** Which commissions are bonuses and corrections. */
  given: { id: string; externalId: string | null; isCorrection: boolean }[] = []
  unattributed: Unattributed[] = []
  waiting: WaitingRefund[] = []
  closed: Closed[] = []
  /** The sum above which a second person approves a run. */
  approvalAbove: number | null = null
  externalIds = 0
  /** The number of commands that ran. */
  steps = 0

  constructor(now: number) {
    this.now = now
  }

  stateOf = (commission: Commission) =>
    commission.ended ?? (commission.dueAt <= this.now && !commission.isHeld ? 'due' : 'pending')

  /** The existing referral of a sale, or the affiliate for whom its coupon creates a new one, or null without a match. */
  attribute({ referral, coupon, email }: Signals, occurredAt: number): Referral | Affiliate | null {
    const isActive = (affiliate: Affiliate) => affiliate.state === 'active'
    const isOpen = (one: Referral) => one.convertedAt !== null || one.expiresAt > occurredAt
    if (referral && isActive(referral.affiliate) && isOpen(referral)) return referral
    if (coupon && isActive(coupon))
      return this.referralOf(email, occurredAt, ({ affiliate }) => affiliate === coupon) ?? coupon
    return this.referralOf(email, occurredAt, ({ affiliate }) => isActive(affiliate), occurredAt + clockGrace)
  }

  /** Whether a referral id names a visit after the sale. Without a link, a referral begins with its first sale. */
  isLater(referral: Referral, occurredAt: number): boolean {
    const { byLink, createdAt, leadAt } = referral
    const began = byLink ? createdAt : Math.min(createdAt, leadAt ?? createdAt)
    return began > occurredAt + clockGrace
  }

  /** The customer's referral. With `until`, what came later does not count. */
  referralOf(
    email: string | undefined,
    occurredAt: number,
    accepts: (referral: Referral) => boolean,
    until = Number.POSITIVE_INFINITY,
  ): Referral | null {
    if (email === undefined) return null
    const isCustomers = (one: Referral) =>
      one.email === email ||
      this.sales.some((sale) => sale.referral === one && sale.email === email && sale.occurredAt <= until)
    const isPast = (at: number | null) => at !== null && at <= until
    const theirs = this.referrals.filter((one) => isCustomers(one) && accepts(one))
    const converted = theirs
      .filter(({ convertedAt }) => isPast(convertedAt))
      .sort((a, b) => (a.convertedAt as number) - (b.convertedAt as number) || (a.id < b.id ? -1 : 1))
    if (converted[0]) return converted[0]
    const leads = theirs.filter(({ leadAt, expiresAt }) => isPast(leadAt) && expiresAt > occurredAt)
    return leads.sort((a, b) => (a.id < b.id ? 1 : -1))[0] ?? null
  }

  groupsOf = ({ groups }: Affiliate, at: number) => valueAt(groups, at)
  dealsOf = (campaign: Campaign, at: number) => valueAt(campaign.dealVersions, at)

  /** The campaign's rule when the sale occurred, with the reward of the deal that comes first among those that apply. */
  ruleOf(
    { affiliate, campaign, convertedAt }: Referral,
    sale: { amount: number; currency: string; occurredAt: number; coupon: Affiliate | null },
  ): Rule {
    const { occurredAt } = sale
    const isFirst = convertedAt === null || convertedAt >= occurredAt
    const applies = (deal: Deal) =>
      deal.startsAt <= occurredAt &&
      (deal.endsAt === null || occurredAt < deal.endsAt) &&
      !(deal.forNewCustomers && convertedAt !== null && convertedAt < deal.startsAt) &&
      (deal.affiliate === null || deal.affiliate === affiliate) &&
      (deal.group === null || this.groupsOf(affiliate, occurredAt).includes(deal.group)) &&
      (deal.coupon === null || deal.coupon === sale.coupon) &&
      (deal.isFirst === null || deal.isFirst === isFirst) &&
      (deal.minimum === null || (sale.currency === 'usd' && sale.amount >= deal.minimum))
    const conditions = ['affiliate', 'group', 'coupon', 'isFirst', 'minimum'] as const
    const comesBefore = (one: Deal, other: Deal): boolean => {
      for (const name of conditions) if ((one[name] === null) !== (other[name] === null)) return one[name] !== null
      return one.createdAt === other.createdAt ? one.id > other.id : one.createdAt > other.createdAt
    }
    const [best] = this.dealsOf(campaign, occurredAt)
      .filter(applies)
      .sort((a, b) => (comesBefore(a, b) ? -1 : 1))
    const rule = valueAt(campaign.versions, occurredAt)
    if (!best) return rule
    const { amountCents } = best.reward
    const sold = this.sales.filter(
      (one) =>
        one.referral.affiliate === affiliate &&
        one.referral.campaign === campaign &&
        monthOf(one.occurredAt) === monthOf(occurredAt) &&
        (one.refunded === 0 || one.refunded < one.amount),
    )
    const step = best.steps?.filter(({ from }) => from <= sold.length).at(-1)
    const basisPoints = step?.basisPoints ?? best.reward.basisPoints
    return { ...rule, deal: best, basisPoints: amountCents === null ? (basisPoints ?? 0) : null, amountCents }
  }

  /** What the cap of a rule leaves for a sale of an affiliate: all commissions of the month's sales by it count. */
  roomOf({ deal }: Rule, affiliate: Affiliate | undefined, currency: string, occurredAt: number): number {
    if (!deal?.cap) return Number.POSITIVE_INFINITY
    const sales = this.commissions
      .filter(
        ({ refundId, rule, sale, currency: code }) =>
          refundId === null && rule.deal?.id === deal.id && code === currency && sale.referral.affiliate === affiliate,
      )
      .map(({ sale }) => sale)
      .filter((sale) => monthOf(sale.occurredAt) === monthOf(occurredAt))
    const used = sum(this.commissions.filter(({ sale, ended }) => ended !== 'void' && sales.includes(sale)))
    return Math.max(Math.min(deal.cap.perSale, deal.cap.perMonth - used), 0)
  }

  /** The commission of a sale of the referral by the rule, or null. */
  earnedBy(referral: Referral | null, rule: Rule, sale: { amount: number; currency: string; occurredAt: number }) {
    const before = this.commissions.filter((one) => one.refundId === null && one.sale.referral === referral)
    if (rule.maxCommissions !== null && before.filter(({ ended }) => ended !== 'void').length >= rule.maxCommissions)
      return null
    if (rule.maxMonths !== null && before.length > 0) {
      const began = Math.min(...before.map(({ occurredAt }) => occurredAt))
      if (sale.occurredAt >= monthsAfter(began, rule.maxMonths)) return null
    }
    const currency = rule.basisPoints === null ? 'usd' : sale.currency
    const room = this.roomOf(rule, referral?.affiliate, currency, sale.occurredAt)
    const amount = Math.min(commissionAmount(rule, sale.amount), room)
    return amount === 0 ? null : { amount, currency }
  }

  /** The open payouts after all due commissions are collected. */
  openPayouts(): Omit<Payout, 'id'>[] {
    const open: Omit<Payout, 'id'>[] = []
    for (const affiliate of this.affiliates) {
      for (const currency of ['usd', 'eur']) {
        const due = this.commissions.filter(
          (one) =>
            one.sale.referral.affiliate === affiliate && one.currency === currency && this.stateOf(one) === 'due',
        )
        const sent = due.filter(({ sentIn }) => sentIn !== null)
        const amount = sum(sent.length > 0 ? sent : due)
        if (due.length > 0 && amount >= 0) open.push({ affiliate, currency, amount })
      }
    }
    return open
  }

  dueCommissionsOf = (affiliate: Affiliate, currency: string) =>
    this.commissions.filter(
      (one) => one.sale.referral.affiliate === affiliate && one.currency === currency && this.stateOf(one) === 'due',
    )

  /** Whether a refund leaves it as it is: it is paid or sent, or its payment came back and left debts. */
  isFixed = (commission: Commission) =>
    commission.ended === 'paid' || commission.sentIn !== null || this.hasDebts(commission)

  needsApproval = (amount: number) => this.approvalAbove !== null && amount > this.approvalAbove

  hasDebts = ({ sale, refundId }: Commission) =>
    refundId === null && this.commissions.some((one) => one.sale === sale && one.refundId !== null)

  sentOf = (affiliate: Affiliate, currency: string) =>
    this.closed.find((one) => one.state === 'sent' && one.affiliate === affiliate && one.currency === currency)

  countersOf(affiliate: Affiliate, byLink: boolean) {
    const theirs = this.referrals.filter((one) => one.affiliate === affiliate && (!byLink || one.byLink))
    return {
      visitors: theirs.length,
      leads: theirs.filter(({ leadAt }) => leadAt !== null).length,
      conversions: theirs.filter(({ convertedAt }) => convertedAt !== null).length,
    }
  }
}

/** What a sale has earned. A debt that was voided counts, unless its refund was reversed. */
export const earnedUntilNow = (commissions: Commission[]) =>
  sum(
    commissions.filter(({ ended, refundId, sale }) => {
      const refund = sale.refunds.find(({ id }) => id === refundId)
      return !(ended === 'void' && refund?.isReversed)
    }),
  )

/** The commission as if the refunds that were reversed had never been: all that happened to its amount, again. */
export function replayed(sale: Sale, rule: Rule): number {
  let [amount, rest] = [rule.granted ?? commissionAmount(rule, sale.amount), sale.amount]
  for (const entry of sale.log) {
    if (typeof entry === 'number') amount = entry
    else if (!entry.isReversed) {
      rest -= entry.amount
      amount = Math.min(amount, rest === 0 ? 0 : commissionAmount(rule, rest))
    }
  }
  return amount
}

export const sum = (rows: { amount: number }[]) => rows.reduce((total, { amount }) => total + amount, 0)

/** The rule's amount for a sale, or for its rest after refunds, rounded half up. */
export function commissionAmount({ basisPoints, amountCents }: Rule, remaining: number): number {
  if (basisPoints === null) return amountCents as number
  return Math.floor((remaining * basisPoints * 2 + 10_000) / 20_000)
}

/** The value at a time: that of the last version not after it, or the first version. */
export const valueAt = <T>(versions: Version<T>[], at: number): T =>
  (versions.filter((version) => version.at <= at).at(-1) ?? (versions[0] as Version<T>)).value

const monthOf = (at: number) => new Date(at).toISOString().slice(0, 7)

/** The same day the given number of calendar months later, or the last day of that month. */
function monthsAfter(at: number, months: number): number {
  const date = new Date(at)
  const first = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1)
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months + 1, 0)).getUTCDate()
  return first + (Math.min(date.getUTCDate(), last) - 1) * day + (at % day)
}
