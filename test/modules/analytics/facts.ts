import type { Db } from '../../../src/kernel/db.ts'

// A second implementation of the analytics totals, in JavaScript and from the single rows, to compare the results with.

export type Fact = {
  kind: string
  at: number
  campaign: string
  affiliate: string
  link: string | null
  coupon: string | null
  currency: string
  amount: bigint
  /** For sales: the customer, else the referral. */
  customer?: string
}

export async function readFacts(db: Db, programId: string): Promise<Fact[]> {
  const where = { programId }
  const referrals = await db.referral.findMany({ where })
  const sales = await db.sale.findMany({ where })
  const refunds = await db.refund.findMany({ where: { ...where, reversedAt: null } })
  const commissions = await db.commission.findMany({ where })
  const referralOf = new Map(referrals.map((row) => [row.id, row]))
  const saleOf = new Map(sales.map((row) => [row.id, row]))
  const facts: Fact[] = []
  const add = (kind: string, at: Date | null, referralId: string, currency = '', amount = 0n, customer = '') => {
    const referral = referralOf.get(referralId)
    if (referral) addOf(kind, at, referral, currency, amount, customer)
  }
  type Source = { campaignId: string; affiliateId: string; linkId: string | null; couponId: string | null }
  const addOf = (kind: string, at: Date | null, source: Source, currency = '', amount = 0n, customer = '') => {
    if (!at) return
    const { campaignId: campaign, affiliateId: affiliate, linkId: link, couponId: coupon } = source
    facts.push({ kind, at: at.getTime(), campaign, affiliate, link, coupon, currency, amount, customer })
  }
  for (const { id, createdAt, becameLeadAt, becameConversionAt } of referrals) {
    add('visitor', createdAt, id)
    add('lead', becameLeadAt, id)
    add('conversion', becameConversionAt, id)
  }
  for (const { referralId, occurredAt, currency, amountCents, customerId } of sales)
    add('sale', occurredAt, referralId, currency, amountCents, customerId ?? referralId)
  for (const { saleId, createdAt, amountCents } of refunds) {
    const sale = saleOf.get(saleId)
    if (sale) add('refund', createdAt, sale.referralId, sale.currency, amountCents)
  }
  for (const row of commissions) {
    // A bonus and a correction came through no link.
    const source = referralOf.get(row.referralId ?? '') ?? { ...row, linkId: null, couponId: null }
    const values = [source, row.currency, row.amountCents] as const
    if (!row.voidedAt) addOf('accrued', row.occurredAt, ...values)
    if (!row.voidedAt && !row.paidAt && !row.heldReason) addOf('due', row.dueAt, ...values)
    addOf('paid', row.paidAt, ...values)
    addOf('voided', row.voidedAt, ...values)
  }
  return facts
}

const halfUp = (sum: bigint, count: bigint) => {
  const exact = Number(sum) / Number(count)
  return Math.floor(exact + 0.5)
}

/** The totals of the given facts, which the caller has limited to the range. `due` ignores facts later than `now`. */
export function totalsOf(facts: readonly Fact[], currency: string, now: number) {
  const factsOf = (kind: string) =>
    facts.filter(
      (fact) => fact.kind === kind && ['', currency].includes(fact.currency) && (kind !== 'due' || fact.at <= now),
    )
  const count = (kind: string) => factsOf(kind).length
  const sum = (kind: string) => factsOf(kind).reduce((total, { amount }) => total + amount, 0n)
  const money = (cents: bigint | number) => ({ amountCents: Number(cents), currency })
  const visitors = count('visitor')
  const sales = count('sale')
  return {
    visitors,
    leads: count('lead'),
    conversions: count('conversion'),
    leadRate: visitors ? count('lead') / visitors : null,
    conversionRate: visitors ? count('conversion') / visitors : null,
    sales,
    salesAmount: money(sum('sale')),
    refunds: count('refund'),
    refundAmount: money(sum('refund')),
    refundRate: sum('sale') ? Number(sum('refund')) / Number(sum('sale')) : null,
    commissionAccrued: money(sum('accrued')),
    commissionDue: money(sum('due')),
    commissionPaid: money(sum('paid')),
    commissionVoid: money(sum('voided')),
    averageSale: sales ? money(halfUp(sum('sale'), BigInt(sales))) : null,
    earningsPerClick: visitors ? money(halfUp(sum('accrued'), BigInt(visitors))) : null,
  }
}

export const totalsQuery = `totals {
  visitors leads conversions leadRate conversionRate sales salesAmount { amountCents currency } refunds
  refundAmount { amountCents currency } refundRate commissionAccrued { amountCents currency }
  commissionDue { amountCents currency } commissionPaid { amountCents currency }
  commissionVoid { amountCents currency } averageSale { amountCents currency } earningsPerClick { amountCents currency }
}`
