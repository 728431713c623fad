import type { ListedKind } from '../../modules/imports/input.ts'
import { readNames } from '../../rest/names.ts'
import type { Wire } from './source.ts'

/** A record as importRecords reads it: the schema's names, references by their ids at the source. */
export type SourceRecord = { externalId: string } & Wire

/** The lists of a source, in the order in which each finds what it names. */
export const lists: readonly { list: string; kind: ListedKind; read: (wire: Wire) => SourceRecord }[] = [
  { list: 'campaigns', kind: 'campaign', read: readCampaign },
  { list: 'affiliates', kind: 'affiliate', read: readAffiliate },
  { list: 'affiliate_links', kind: 'affiliate_link', read: readOfAffiliate },
  { list: 'affiliate_coupons', kind: 'affiliate_coupon', read: readOfAffiliate },
  { list: 'referrals', kind: 'referral', read: readReferral },
  { list: 'payouts', kind: 'payout', read: readPayout },
  { list: 'commissions', kind: 'commission', read: readCommission },
]

const inner = (value: unknown): Wire => (typeof value === 'object' && value !== null ? (value as Wire) : {})
const idOf = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : undefined

/** The id of what a resource belongs to: as a field of its own, or of the object that it holds. */
const named = (wire: Wire, noun: string): string | undefined => idOf(wire[`${noun}_id`]) ?? idOf(inner(wire[noun]).id)

/** What all have. Fields that are objects themselves are read one by one. */
function readFields(wire: Wire): SourceRecord {
  const { id, ...fields } = readNames(wire, { renamed: { amount: 'amountCents' }, hidden: [] })
  const plain = Object.entries(fields).filter(([, value]) => typeof value !== 'object')
  return { ...Object.fromEntries(plain), externalId: idOf(id) ?? '' }
}

function readCampaign(wire: Wire): SourceRecord {
  return { ...readFields(wire), isDefault: wire.default ?? wire.is_default ?? false }
}

function readAffiliate(wire: Wire): SourceRecord {
  const links = Array.isArray(wire.links) ? wire.links.map((link) => readFields(inner(link))) : []
  return { ...readFields(wire), campaignId: named(wire, 'campaign'), links }
}

function readOfAffiliate(wire: Wire): SourceRecord {
  return { ...readFields(wire), affiliateId: named(wire, 'affiliate') }
}

function readReferral(wire: Wire): SourceRecord {
  const customer = inner(wire.customer)
  return {
    ...readOfAffiliate(wire),
    campaignId: named(wire, 'campaign'),
    linkId: named(wire, 'link'),
    couponId: named(wire, 'coupon'),
    customerEmail: customer.email ?? wire.customer_email,
    customerName: customer.name ?? wire.customer_name,
  }
}

function readPayout(wire: Wire): SourceRecord {
  const commissions = Array.isArray(wire.commissions) ? wire.commissions : []
  const commissionIds = commissions.flatMap((one) => idOf(one) ?? idOf(inner(one).id) ?? [])
  return { ...readOfAffiliate(wire), commissionIds }
}

function readCommission(wire: Wire): SourceRecord {
  const sale = inner(wire.sale)
  return {
    ...readFields(wire),
    affiliateId: named(wire, 'affiliate') ?? named(sale, 'affiliate') ?? named(inner(sale.referral), 'affiliate'),
    campaignId: named(wire, 'campaign'),
    saleId: named(wire, 'sale'),
    referralId: named(wire, 'referral') ?? named(sale, 'referral'),
    saleAmountCents: saleAmount(sale),
    saleRefundedCents: sale.refund_amount_cents,
    saleCurrency: sale.currency,
    saleBillingId: sale.stripe_charge_id ?? sale.external_id,
    saleOccurredAt: sale.charged_at ?? sale.invoiced_at,
    saleCreatedAt: sale.created_at,
    saleUpdatedAt: sale.updated_at,
  }
}

/** What commissions are worked out from, before anything was given back: the charge without its tax. */
function saleAmount({ charge_amount_cents: charge, tax_amount_cents: tax, ...sale }: Wire): unknown {
  const number = (value: unknown) => (value === undefined || value === null || value === '' ? null : Number(value))
  const [charged, taxed] = [number(charge), number(tax) ?? 0]
  if (charged !== null) return charged - taxed
  const [sold, refunded] = [number(sale.sale_amount_cents), number(sale.refund_amount_cents) ?? 0]
  return sold === null ? undefined : sold + refunded
}
