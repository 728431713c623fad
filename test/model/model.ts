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
  /** What its parts earn, if the items of the sale earn by themselves. */
  lines?: Line[]
  /** The step of the whole period by which it earns. */
  step?: Step
}
export type Step = { from: number; basisPoints: number }
export type Item = { product: string; amount: number; quantity: number }
/** A part of a sale. `product` is null for the rest, `deal` if it earns as the whole sale. */
export type Line = Pick<Rule, 'basisPoints' | 'amountCents'> & {
  product: string | null
  amount: number
  deal: Deal | null
  /** What the cap of the deal left for all lines of the deal. */
  room: number
  step?: Step | undefined
}
type Version<T> = { at: number; value: T }
export type Campaign = { id: string; rule: Rule; versions: Version<Rule>[]; dealVersions: Version<Deal[]>[] }
/** A commission rule. Null is no condition. */
export type Deal = {
  id: string
  name: string
  affiliate: Affiliate | null
  group: string | null
  /** The affiliate whose coupon has to be given. */
  coupon: Affiliate | null
  /** The product whose items it is for. */
  product: string | null
  /** Whether it is for the first payment of a customer, or for later ones. */
  isFirst: boolean | null
  /** In US dollars. */
  minimum: number | null
  reward: Pick<Rule, 'basisPoints' | 'amountCents'>
  /** Percentages by what was sold in the month, in basis points: the first is from 0. */
  steps: Step[] | null
  /** The measure of the steps: revenue in the currency of the sale, else the number of sales. */
  byRevenue: boolean
  /** Whether all sales of the month earn by the step that is reached. */
  isWhole: boolean
  /** What a lead earns. Null for a deal that is for sales. */
  leadAmount: number | null
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
export type Refund = {
  externalId: string | null
  id: string
  amount: number
  isReversed: boolean
  /** The items that it names. */
  items: { product: string; amount: number }[]
}
export type Sale = {
  id: string
  externalId: string
  referral: Referral
  email: string | null
  amount: number
  currency: string
  occurredAt: number
  items: Item[]
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

/** What holds of a commission that nobody has decided about. */
export const undecided = {
  isHeld: false,
  ended: null,
  isVoidByRefund: false,
  paidAt: null,
  isPaidOutsidePayout: false,
  sentIn: null,
} satisfies Partial<Commission>

export type Unattributed = {
  id: string
  externalId: string
  email: string | null
  amount: number
  currency: string
  occurredAt: number
  coupon: Affiliate | null
  items: Item[]
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
export type Closed = Payout & {
  state: 'sent' | 'paid' | 'failed'
  members: Commission[]
  runId: string | null
  isUnclaimed?: boolean
}
/** What an agent said about who sent the customer. `name` is how it names the affiliate. */
export type Claim = { affiliate: Affiliate; name: string; touchpoint: 'first' | 'last' | undefined; isExpired: boolean }
/** The signals of a reported sale. */
export type Signals = { referral?: Referral; coupon?: Affiliate; claims?: Claim[]; email?: string }

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
  /** Corrections of whole periods. Void ones count. */
  corrections: (PeriodOfDeal & { id: string; amount: number; commission: Commission })[] = []
  /** Which commissions are for leads. */
  leads: { id: string; affiliate: Affiliate; email: string }[] = []
  unattributed: Unattributed[] = []
  waiting: WaitingRefund[] = []
  closed: Closed[] = []
  /** The sum above which a second person approves a run. */
  approvalAbove: number | null = null
  externalIds = 0
  dealNames = 0
  /** The number of commands that ran. */
  steps = 0

  constructor(now: number) {
    this.now = now
  }

  stateOf = (commission: Commission) =>
    commission.ended ?? (commission.dueAt <= this.now && !commission.isHeld ? 'due' : 'pending')

  /** The existing referral of a sale, or the affiliate for whom a coupon or an agent creates one, or null without a match. */
  attribute({ referral, coupon, claims = [], email }: Signals, occurredAt: number): Referral | Affiliate | null {
    const isActive = (affiliate: Affiliate) => affiliate.state === 'active'
    const isOpen = (one: Referral) => one.convertedAt !== null || one.expiresAt > occurredAt
    if (referral && isActive(referral.affiliate) && isOpen(referral)) return referral
    const usable = claims.filter(({ affiliate, isExpired }) => isActive(affiliate) && !isExpired)
    const touch = (one: Claim['touchpoint']) => usable.find(({ touchpoint }) => touchpoint === one)
    const said = touch('last') ?? touch(undefined) ?? touch('first')
    const named = coupon && isActive(coupon) ? coupon : said?.affiliate
    if (named) return this.referralOf(email, occurredAt, ({ affiliate }) => affiliate === named) ?? named
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

  /** When the customer of a sale bought first, before it: through any affiliate. Infinity: never. */
  customerSince(referral: Referral, { email, occurredAt }: { email: string | null; occurredAt: number }): number {
    const customerOf = (one: Referral) => one.email ?? one
    const isCustomers = (customer: string | Referral) =>
      customer === (email ?? customerOf(referral)) || customer === referral
    const sold = this.sales.filter((one) => isCustomers(one.email ?? customerOf(one.referral)))
    const converted = this.referrals.filter((one) => one.convertedAt !== null && isCustomers(customerOf(one)))
    const times = [...sold.map((one) => one.occurredAt), ...converted.map((one) => one.convertedAt as number)]
    return Math.min(...times.filter((at) => at <= occurredAt), Number.POSITIVE_INFINITY)
  }

  /** The campaign's rule when the sale occurred, with the reward of the deal that comes first among those that apply. */
  ruleOf(
    referral: Referral,
    sale: Pick<Unattributed, 'amount' | 'currency' | 'occurredAt' | 'coupon' | 'items' | 'email'>,
  ): Rule {
    const { affiliate, campaign } = referral
    const { occurredAt, items } = sale
    const since = this.customerSince(referral, sale)
    const applies = (deal: Deal, product: string | null) =>
      deal.leadAmount === null &&
      (deal.product === null || deal.product === product) &&
      deal.startsAt <= occurredAt &&
      (deal.endsAt === null || occurredAt < deal.endsAt) &&
      !(deal.forNewCustomers && since < deal.startsAt) &&
      (deal.affiliate === null || deal.affiliate === affiliate) &&
      (deal.group === null || this.groupsOf(affiliate, occurredAt).includes(deal.group)) &&
      (deal.coupon === null || deal.coupon === sale.coupon) &&
      (deal.isFirst === null || deal.isFirst === (since === Number.POSITIVE_INFINITY)) &&
      (deal.minimum === null || (sale.currency === 'usd' && sale.amount >= deal.minimum))
    const deals = this.dealsOf(campaign, occurredAt).sort((a, b) => (comesBefore(a, b) ? -1 : 1))
    const own = valueAt(campaign.versions, occurredAt)
    const best = deals.find((deal) => applies(deal, null))
    const period = { affiliate, campaign, month: monthOf(occurredAt), currency: sale.currency }
    const rateOf = (deal: Deal) => {
      const { amountCents } = deal.reward
      const step = deal.steps && this.stepOf(deal, period, deal.isWhole ? sale : null)
      const basisPoints = amountCents === null ? (step?.basisPoints ?? deal.reward.basisPoints ?? 0) : null
      return { amountCents, basisPoints, ...(deal.isWhole && step && { step }) }
    }
    const rule: Rule = best ? { ...own, deal: best, ...rateOf(best) } : own
    if (items.length === 0) return rule
    // A commission has one currency.
    const isInCurrency = (amountCents: number | null) => amountCents === null || sale.currency === 'usd'
    const forItems = deals.filter(({ product, reward }) => product === null || isInCurrency(reward.amountCents))
    const dealOf = (product: string) => {
      const deal = isInCurrency(rule.amountCents) ? forItems.find((one) => applies(one, product)) : undefined
      return deal?.product ? deal : null
    }
    const lines = items.flatMap(({ product, amount, quantity }): Line[] => {
      const deal = dealOf(product)
      if (!deal) return rule.amountCents !== null || best?.isWhole ? [] : [lineOf(rule, product, amount)]
      const { amountCents, ...rate } = rateOf(deal)
      const room = this.roomOf(deal, affiliate, sale.currency, occurredAt)
      return [
        { product, amount, deal, room, amountCents: amountCents === null ? null : amountCents * quantity, ...rate },
      ]
    })
    const rest = sale.amount - sum(lines)
    if (rest > 0) lines.push(lineOf(rule, null, rest))
    const isOne = lines.length === 0 || (lines.length === 1 && lines[0]?.deal === null)
    return isOne ? rule : { ...rule, lines }
  }

  /** The step that an affiliate has reached in a month, or reaches with a sale. */
  stepOf({ steps, byRevenue }: Deal, period: Period, sale: { amount: number } | null): Step {
    const sold = this.sales.filter(
      (one) =>
        one.referral.affiliate === period.affiliate &&
        one.referral.campaign === period.campaign &&
        monthOf(one.occurredAt) === period.month,
    )
    const kept = sold.filter(({ refunded, amount }) => refunded === 0 || refunded < amount)
    const ofCurrency = sold.filter(({ currency }) => currency === period.currency)
    const revenue = sum(ofCurrency) - ofCurrency.reduce((total, { refunded }) => total + refunded, 0)
    const measure = byRevenue ? revenue + (sale?.amount ?? 0) : kept.length + (sale ? 1 : 0)
    return (steps as Step[]).filter(({ from }, index) => index === 0 || from <= measure).at(-1) as Step
  }

  /** What corrections of whole periods are missing now. */
  missingCorrections(): (PeriodOfDeal & { amount: number })[] {
    const due = new Map<string, PeriodOfDeal & { amount: number }>()
    const add = (period: PeriodOfDeal, amount: number) => {
      const key = `${period.deal.id} ${period.affiliate.id} ${period.month} ${period.currency}`
      due.set(key, { ...period, amount: (due.get(key)?.amount ?? 0) + amount })
    }
    for (const { sale, rule, refundId, ended, currency } of this.commissions) {
      if (refundId !== null || ended === 'void') continue
      const { affiliate, campaign } = sale.referral
      const period = { affiliate, campaign, month: monthOf(sale.occurredAt), currency }
      const actual = sum(this.commissions.filter((one) => one.sale === sale && one.ended !== 'void'))
      const counting = sale.refunds?.filter(({ isReversed }) => !isReversed) ?? []
      if (actual !== earnedAfter(rule, sale.amount, counting)) continue
      const parts = rule.lines
        ? linesAfter(rule.lines, sale.amount - sum(counting), counting)
        : [sale.amount - sum(counting)]
      for (const [index, rest] of parts.entries()) {
        const line = rule.lines?.[index]
        const deal = line?.deal ?? rule.deal
        const step = line?.deal ? line.step : rule.step
        if (!deal?.isWhole || !step) continue
        const target = this.stepOf(deal, period, null)
        add({ ...period, deal }, percent(rest, target.basisPoints) - percent(rest, step.basisPoints))
      }
    }
    for (const { amount, id: _, commission: __, ...period } of this.corrections) add(period, -amount)
    return [...due.values()].filter(({ amount }) => amount !== 0)
  }

  /** The deal for leads that applies to an affiliate, or none. */
  leadDealOf(affiliate: Affiliate, campaign: Campaign): Deal | undefined {
    return this.dealsOf(campaign, this.now)
      .filter(
        (deal) =>
          deal.leadAmount !== null &&
          deal.startsAt <= this.now &&
          (deal.endsAt === null || this.now < deal.endsAt) &&
          (deal.affiliate === null || deal.affiliate === affiliate) &&
          (deal.group === null || this.groupsOf(affiliate, this.now).includes(deal.group)),
      )
      .sort((a, b) => (comesBefore(a, b) ? -1 : 1))[0]
  }

  /** What the cap of a rule leaves for a sale of an affiliate: all commissions of the month's sales by it count. */
  roomOf(deal: Deal | undefined, affiliate: Affiliate | undefined, currency: string, occurredAt: number): number {
    if (!deal?.cap) return Number.POSITIVE_INFINITY
    if (deal.product !== null) {
      const paid = this.commissions.filter(
        (one) =>
          one.refundId === null &&
          one.ended !== 'void' &&
          one.currency === currency &&
          one.sale.referral.affiliate === affiliate &&
          one.rule.lines?.some((line) => line.deal?.id === deal.id) &&
          monthOf(one.sale.occurredAt) === monthOf(occurredAt),
      )
      const used = paid.reduce((total, { sale, rule }) => {
        const counting = sale.refunds.filter(({ isReversed }) => !isReversed)
        return total + (earnedByDeal(rule.lines as Line[], sale.amount - sum(counting), counting).get(deal.id) ?? 0)
      }, 0)
      return Math.max(Math.min(deal.cap.perSale, deal.cap.perMonth - used), 0)
    }
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
    const room = this.roomOf(rule.deal, referral?.affiliate, currency, sale.occurredAt)
    const amount = Math.min(rule.lines ? earnedAfter(rule, sale.amount, []) : commissionAmount(rule, sale.amount), room)
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
  let amount = rule.granted ?? commissionAmount(rule, sale.amount)
  const refunds: Refund[] = []
  for (const entry of sale.log) {
    if (typeof entry === 'number') amount = entry
    else if (!entry.isReversed) {
      refunds.push(entry)
      amount = Math.min(amount, earnedAfter(rule, sale.amount, refunds))
    }
  }
  return amount
}

/** What the rule gives for a sale after refunds: the sum of its lines, if it has any. Caps of deals for products count. */
export function earnedAfter(rule: Rule, amount: number, refunds: Refund[]): number {
  const rest = amount - sum(refunds)
  if (!rule.lines) return refunds.length > 0 && rest === 0 ? 0 : commissionAmount(rule, rest)
  return [...earnedByDeal(rule.lines, rest, refunds).values()].reduce((total, own) => total + own, 0)
}

/** What lines have earned after refunds, by the id of their deal. */
function earnedByDeal(lines: Line[], rest: number, refunds: Refund[]): Map<string, number> {
  const shares = linesAfter(lines, rest, refunds)
  const earned = new Map<string, number>()
  for (const [index, line] of lines.entries()) {
    const share = shares[index] as number
    const own =
      share === 0 ? 0 : line.amountCents === null ? percent(share, line.basisPoints as number) : line.amountCents
    const key = line.deal?.id ?? ''
    earned.set(key, Math.min((earned.get(key) ?? 0) + own, line.room))
  }
  return earned
}

/** What is left of each line: refunds that name a product take its first lines, and the rest is divided by size. */
function linesAfter(lines: Line[], rest: number, refunds: Refund[]): number[] {
  const named = new Map<string, number>()
  for (const { product, amount } of refunds.flatMap(({ items }) => items))
    named.set(product, (named.get(product) ?? 0) + amount)
  const open = lines.map(({ product, amount }) => {
    const taken = product === null ? 0 : Math.min(named.get(product) ?? 0, amount)
    if (product !== null) named.set(product, (named.get(product) ?? 0) - taken)
    return amount - taken
  })
  const total = open.reduce((all, one) => all + one, 0)
  const upTo = (index: number) => open.slice(0, index).reduce((all, one) => all + one, 0)
  const shared = (index: number) =>
    total === 0 ? 0 : Number((BigInt(upTo(index)) * BigInt(Math.min(rest, total))) / BigInt(total))
  return open.map((_, index) => shared(index + 1) - shared(index))
}

const lineOf = ({ basisPoints, amountCents }: Rule, product: string | null, amount: number): Line => {
  return { product, amount, basisPoints, amountCents, deal: null, room: Number.POSITIVE_INFINITY }
}

/** The order of deals: the one with the stronger condition, then the newest. */
function comesBefore(one: Deal, other: Deal): boolean {
  const conditions = ['affiliate', 'group', 'coupon', 'product', 'isFirst', 'minimum'] as const
  for (const name of conditions) if ((one[name] === null) !== (other[name] === null)) return one[name] !== null
  return one.createdAt === other.createdAt ? one.id > other.id : one.createdAt > other.createdAt
}

type Period = { affiliate: Affiliate; campaign: Campaign; month: string; currency: string }
export type PeriodOfDeal = Period & { deal: Deal }

export const sum = (rows: { amount: number }[]) => rows.reduce((total, { amount }) => total + amount, 0)

/** The rule's amount for a sale, or for its rest after refunds, rounded half up. */
export function commissionAmount({ basisPoints, amountCents }: Rule, remaining: number): number {
  if (basisPoints === null) return amountCents as number
  return percent(remaining, basisPoints)
}

const percent = (amount: number, basisPoints: number) => Math.floor((amount * basisPoints * 2 + 10_000) / 20_000)

/** The value at a time: that of the last version not after it, or the first version. */
export const valueAt = <T>(versions: Version<T>[], at: number): T =>
  (versions.filter((version) => version.at <= at).at(-1) ?? (versions[0] as Version<T>)).value

export const monthOf = (at: number) => new Date(at).toISOString().slice(0, 7)

/** The same day the given number of calendar months later, or the last day of that month. */
function monthsAfter(at: number, months: number): number {
  const date = new Date(at)
  const first = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1)
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months + 1, 0)).getUTCDate()
  return first + (Math.min(date.getUTCDate(), last) - 1) * day + (at % day)
}
