// What the service should do, said a second time and as simply as can be: rows in arrays, numbers that are looked up
// by walking them. It is written from the contract's decisions, not from the service.

export const day = 86_400_000

export type Rule = {
  basisPoints: number | null
  amountCents: number | null
  daysBeforeDue: number
  daysBeforeExpiry: number
  maxCommissions: number | null
  maxMonths: number | null
  minimumPayout: number
}
type Version<T> = { at: number; value: T }
export type Campaign = { id: string; rule: Rule; versions: Version<Rule>[] }
export type Affiliate = {
  id: string
  token: string
  coupon: string
  state: 'active' | 'disabled' | 'suspicious'
  campaign: Campaign
  campaigns: Version<Campaign>[]
}
export type Referral = {
  id: string
  affiliate: Affiliate
  campaign: Campaign
  byLink: boolean
  email: string | null
  leadAt: number | null
  convertedAt: number | null
  expiresAt: number
}
export type Sale = {
  id: string
  externalId: string
  referral: Referral
  email: string | null
  amount: number
  currency: string
  refunded: number
  refunds: { externalId: string | null; id: string; amount: number }[]
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
  ended: null | 'paid' | 'void'
  paidAt: number | null
  /** Paid outside of any payout. */
  isPaidAlone: boolean
}
export type Unattributed = {
  id: string
  externalId: string
  email: string | null
  amount: number
  currency: string
  occurredAt: number
}
export type Payout = { id: string; affiliate: Affiliate; currency: string; amount: number }
/** What a sale is reported with, as positions among what there is. */
export type Signals = { referral?: Referral; coupon?: Affiliate; email?: string }

export class Model {
  now: number
  campaigns: Campaign[] = []
  affiliates: Affiliate[] = []
  referrals: Referral[] = []
  sales: Sale[] = []
  commissions: Commission[] = []
  unattributed: Unattributed[] = []
  paid: Payout[] = []
  externalIds = 0
  /** Commands that were run. */
  steps = 0

  constructor(now: number) {
    this.now = now
  }

  stateOf = (commission: Commission) => commission.ended ?? (commission.dueAt <= this.now ? 'due' : 'pending')

  /** The referral a sale belongs to: one there is, or the affiliate that a coupon makes a new one for; or null. */
  attribute({ referral, coupon, email }: Signals, occurredAt: number): Referral | Affiliate | null {
    const isActive = (affiliate: Affiliate) => affiliate.state === 'active'
    const isOpen = (one: Referral) => one.convertedAt !== null || one.expiresAt > occurredAt
    if (referral && isActive(referral.affiliate) && isOpen(referral)) return referral
    if (coupon && isActive(coupon))
      return this.referralOf(email, occurredAt, ({ affiliate }) => affiliate === coupon) ?? coupon
    return this.referralOf(email, occurredAt, ({ affiliate }) => isActive(affiliate))
  }

  referralOf(email: string | undefined, occurredAt: number, accepts: (referral: Referral) => boolean): Referral | null {
    if (email === undefined) return null
    const isTheirs = (one: Referral) =>
      one.email === email || this.sales.some((sale) => sale.referral === one && sale.email === email)
    const theirs = this.referrals.filter((one) => isTheirs(one) && accepts(one))
    const converted = theirs
      .filter(({ convertedAt }) => convertedAt !== null)
      .sort((a, b) => (a.convertedAt as number) - (b.convertedAt as number) || (a.id < b.id ? -1 : 1))
    if (converted[0]) return converted[0]
    const leads = theirs.filter(({ leadAt, expiresAt }) => leadAt !== null && expiresAt > occurredAt)
    return leads.sort((a, b) => (a.id < b.id ? 1 : -1))[0] ?? null
  }

  /** What a sale of the referral earns by the rule, or null. */
  earns(referral: Referral | null, rule: Rule, sale: { amount: number; currency: string; occurredAt: number }) {
    const before = this.commissions.filter((one) => one.refundId === null && one.sale.referral === referral)
    if (rule.maxCommissions !== null && before.filter(({ ended }) => ended !== 'void').length >= rule.maxCommissions)
      return null
    if (rule.maxMonths !== null && before.length > 0) {
      const began = Math.min(...before.map(({ occurredAt }) => occurredAt))
      if (sale.occurredAt >= monthsAfter(began, rule.maxMonths)) return null
    }
    const amount = granted(rule, sale.amount)
    return amount === 0 ? null : { amount, currency: rule.basisPoints === null ? 'usd' : sale.currency }
  }

  /** Open payouts, as they are once all that is due by now was gathered. */
  openPayouts(): Omit<Payout, 'id'>[] {
    const open: Omit<Payout, 'id'>[] = []
    for (const affiliate of this.affiliates) {
      for (const currency of ['usd', 'eur']) {
        const due = this.commissions.filter(
          (one) =>
            one.sale.referral.affiliate === affiliate && one.currency === currency && this.stateOf(one) === 'due',
        )
        const amount = sum(due)
        if (due.length > 0 && amount >= 0) open.push({ affiliate, currency, amount })
      }
    }
    return open
  }

  payoutOf = (affiliate: Affiliate, currency: string) =>
    this.commissions.filter(
      (one) => one.sale.referral.affiliate === affiliate && one.currency === currency && this.stateOf(one) === 'due',
    )

  countersOf(affiliate: Affiliate, byLink: boolean) {
    const theirs = this.referrals.filter((one) => one.affiliate === affiliate && (!byLink || one.byLink))
    return {
      visitors: theirs.length,
      leads: theirs.filter(({ leadAt }) => leadAt !== null).length,
      conversions: theirs.filter(({ convertedAt }) => convertedAt !== null).length,
    }
  }
}

export const sum = (rows: { amount: number }[]) => rows.reduce((total, { amount }) => total + amount, 0)

/** The rule's amount for a sale, or for what remains of it: half up, in integers. */
export function granted({ basisPoints, amountCents }: Rule, remaining: number): number {
  if (basisPoints === null) return amountCents as number
  return Math.floor((remaining * basisPoints * 2 + 10_000) / 20_000)
}

/** The value in force at a moment: that of the last change not after it, or the first there was. */
export const asOf = <T>(versions: Version<T>[], at: number): T =>
  (versions.filter((version) => version.at <= at).at(-1) ?? (versions[0] as Version<T>)).value

/** The same day so many calendar months later, or the month's last. */
function monthsAfter(at: number, months: number): number {
  const date = new Date(at)
  const first = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1)
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months + 1, 0)).getUTCDate()
  return first + (Math.min(date.getUTCDate(), last) - 1) * day + (at % day)
}
