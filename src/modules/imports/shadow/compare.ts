import { readableAmount } from '../../../kernel/money/decimals.ts'
import { sourceState } from '../commissions/state.ts'
import type { Ours, Theirs } from './read-sales.ts'

export const differenceReasons = [
  'other_affiliate',
  'other_sale_amount',
  'other_commission',
  'only_theirs',
  'only_ours',
] as const
export type DifferenceReason = (typeof differenceReasons)[number]

/** What one affiliate earned in a month, here and there. */
export type Month = { affiliateId: string; month: string; currency: string; oursCents: bigint; theirsCents: bigint }

/** A sale about which both sides differ. */
export type SaleDifference = {
  /** The sale here; of a sale that is only theirs, its name there. */
  id: string
  month: string
  /** The sale here; null if there is none. */
  saleId: string | null
  externalId: string | null
  affiliateId: string
  theirAffiliateId: string | null
  currency: string
  oursCents: bigint
  theirsCents: bigint
  saleCents: bigint | null
  theirSaleCents: bigint | null
  reason: DifferenceReason
}

export type Comparison = { months: Month[]; differences: SaleDifference[]; agreeing: number }

/** All commissions of one sale there. */
type TheirSale = Omit<Theirs, 'record'> & {
  key: string
  name: string | null
  currency: string
  cents: bigint
  saleCents: bigint | null
}

/** Compares sale by sale, and sums by affiliate and month (UTC) of the sale. */
export function compare(ours: readonly Ours[], theirs: readonly Theirs[]): Comparison {
  const months = new Map<string, Month>()
  const add = (affiliateId: string, at: Date, currency: string, oursCents: bigint, theirsCents: bigint) => {
    const month = monthOf(at)
    const key = `${affiliateId} ${month} ${currency}`
    const sum = months.get(key) ?? { affiliateId, month, currency, oursCents: 0n, theirsCents: 0n }
    months.set(key, {
      ...sum,
      oursCents: sum.oursCents + oursCents,
      theirsCents: sum.theirsCents + theirsCents,
    })
  }
  const theirSales = bySale(theirs)
  const differences: SaleDifference[] = []
  let agreeing = 0
  for (const own of ours) {
    const their = theirSales.get(own.id)
    theirSales.delete(own.id)
    add(own.affiliateId, own.occurredAt, own.currency, own.cents, 0n)
    if (their) add(their.affiliateId, own.occurredAt, their.currency, 0n, their.cents)
    const reason = reasonOf(own, their)
    if (reason === null) agreeing += 1
    else differences.push(difference(own, their, reason))
  }
  for (const their of theirSales.values()) {
    if (their.cents === 0n) continue
    add(their.affiliateId, their.at, their.currency, 0n, their.cents)
    differences.push(difference(undefined, their, 'only_theirs'))
  }
  const sorted = [...months.values()].sort(
    (a, b) => a.month.localeCompare(b.month) || a.affiliateId.localeCompare(b.affiliateId),
  )
  return { months: sorted, differences, agreeing }
}

function bySale(theirs: readonly Theirs[]): Map<string, TheirSale> {
  const sales = new Map<string, TheirSale>()
  for (const { record, ...one } of theirs) {
    const key = one.saleId ?? record.saleBillingId ?? record.saleId ?? record.externalId
    const cents = sourceState(record) === 'void' ? 0n : record.amountCents
    const { currency, saleAmountCents: saleCents = null, saleBillingId: name = null } = record
    const known = sales.get(key) ?? { ...one, key, currency, name, cents: 0n, saleCents }
    sales.set(key, { ...known, cents: known.cents + cents })
  }
  return sales
}

function reasonOf(own: Ours, their: TheirSale | undefined): DifferenceReason | null {
  if (!their) return own.cents === 0n ? null : 'only_ours'
  if (own.cents === their.cents && (own.affiliateId === their.affiliateId || own.cents === 0n)) return null
  if (own.affiliateId !== their.affiliateId) return 'other_affiliate'
  return their.saleCents !== null && their.saleCents !== own.saleCents ? 'other_sale_amount' : 'other_commission'
}

const monthOf = (at: Date): string => at.toISOString().slice(0, 7)

const difference = (own: Ours | undefined, their: TheirSale | undefined, reason: DifferenceReason): SaleDifference => ({
  id: own?.id ?? their?.key ?? '',
  month: monthOf(own?.occurredAt ?? their?.at ?? new Date(0)),
  saleId: own?.id ?? null,
  externalId: own?.externalId ?? their?.name ?? null,
  affiliateId: (own ?? their)?.affiliateId ?? '',
  theirAffiliateId: their?.affiliateId ?? null,
  currency: (own ?? their)?.currency ?? '',
  oursCents: own?.cents ?? 0n,
  theirsCents: their?.cents ?? 0n,
  saleCents: own?.saleCents ?? null,
  theirSaleCents: their?.saleCents ?? null,
  reason,
})

/** Parts of a payment that the sale here leaves out. */
export type LeftOut = { tax: bigint; shipping: bigint; discount: bigint }

/** Why both sides differ about a sale, for people. @param names the e-mail addresses of affiliates by id */
export function explainDifference(
  one: SaleDifference,
  {
    names,
    signal,
    leftOut,
    ignored,
  }: {
    names: ReadonlyMap<string, string>
    signal?: string | undefined
    leftOut?: LeftOut | undefined
    ignored?: string | undefined
  },
): string {
  const { reason, currency, saleCents, theirSaleCents } = one
  const money = (cents: bigint | null) => (cents === null ? 'unknown' : readableAmount(cents, currency))
  if (reason === 'only_ours') return 'They have no commission of this sale.'
  if (reason === 'only_theirs') return ignored ?? 'No payment with this id was received here.'
  if (reason === 'other_affiliate') {
    const [here, there] = [one.affiliateId, one.theirAffiliateId ?? ''].map((id) => names.get(id) ?? id)
    const by = { coupon: 'the coupon', email: 'the e-mail of the customer' }[signal ?? ''] ?? 'the link'
    return `They credited ${there}. Here it is ${here}, by ${by}.`
  }
  if (reason === 'other_commission') return 'Both have the same sale, but another rate or rule.'
  const more = (theirSaleCents ?? 0n) - (saleCents ?? 0n)
  const part = Object.entries(leftOut ?? {}).find(([, cents]) => cents !== 0n && cents === more)?.[0]
  const amounts = `Their sale is of ${money(theirSaleCents)}, here it is ${money(saleCents)}.`
  return part ? `They count ${part}. ${amounts} The feed's setting \`includes\` can count it too.` : amounts
}
