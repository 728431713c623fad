import { affiliates } from '../../resources/affiliates.ts'
import { commissions } from '../../resources/commissions.ts'
import { renamedIn } from '../../resources/resource.ts'
import { readNames } from '../../rest/names.ts'
import type { SourceList, SourceRecord, Wire } from './wire.ts'

/** The lists of a source. Each comes after the lists that it references. */
export const lists: readonly SourceList[] = [
  { list: 'campaigns', kind: 'campaign', read: readCampaign },
  { list: 'affiliates', kind: 'affiliate', read: readAffiliate },
  { list: 'affiliate_links', kind: 'affiliate_link', read: readOfAffiliate },
  { list: 'affiliate_coupons', kind: 'affiliate_coupon', read: readOfAffiliate },
  { list: 'referrals', kind: 'referral', read: readReferral },
  { list: 'payouts', kind: 'payout', read: readPayout },
  { list: 'commissions', kind: 'commission', read: readCommission },
]

const objectIn = (value: unknown): Wire => (typeof value === 'object' && value !== null ? (value as Wire) : {})
const idOf = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : undefined

/** The id of a referenced resource, either from a field of its own (`affiliate_id`) or from an expanded object. */
const referenceTo = (wire: Wire, noun: string): string | undefined =>
  idOf(wire[`${noun}_id`]) ?? idOf(objectIn(wire[noun]).id)

/** Commissions and payouts call their amounts the same. */
const renamed = { ...renamedIn(affiliates.fields), ...renamedIn(commissions.fields) }

/** The plain fields of any resource. Objects and lists are read by each kind. */
function readFields(wire: Wire): SourceRecord {
  const { id, ...fields } = readNames(wire, { renamed, hidden: [] })
  const plain = Object.entries(fields).filter(([, value]) => typeof value !== 'object')
  return { ...Object.fromEntries(plain), externalId: idOf(id) ?? '' }
}

export function readCampaign(wire: Wire): SourceRecord {
  return { ...readFields(wire), isDefault: wire.default ?? wire.is_default ?? false }
}

function readAffiliate(wire: Wire): SourceRecord {
  const links = Array.isArray(wire.links) ? wire.links.map((link) => readFields(objectIn(link))) : undefined
  return { ...readFields(wire), campaignId: referenceTo(wire, 'campaign'), links }
}

function readOfAffiliate(wire: Wire): SourceRecord {
  return { ...readFields(wire), affiliateId: referenceTo(wire, 'affiliate') }
}

function readReferral(wire: Wire): SourceRecord {
  const customer = objectIn(wire.customer)
  return {
    ...readOfAffiliate(wire),
    campaignId: referenceTo(wire, 'campaign'),
    linkId: referenceTo(wire, 'link'),
    couponId: referenceTo(wire, 'coupon'),
    customerEmail: customer.email ?? wire.customer_email,
    customerName: customer.name ?? wire.customer_name,
  }
}

function readPayout(wire: Wire): SourceRecord {
  const commissions = Array.isArray(wire.commissions) ? wire.commissions : undefined
  const commissionIds = commissions?.flatMap((one) => idOf(one) ?? idOf(objectIn(one).id) ?? [])
  return { ...readOfAffiliate(wire), commissionIds }
}

function readCommission(wire: Wire): SourceRecord {
  const sale = objectIn(wire.sale)
  return {
    ...readFields(wire),
    affiliateId:
      referenceTo(wire, 'affiliate') ??
      referenceTo(sale, 'affiliate') ??
      referenceTo(objectIn(sale.referral), 'affiliate'),
    campaignId: referenceTo(wire, 'campaign'),
    saleId: referenceTo(wire, 'sale'),
    referralId: referenceTo(wire, 'referral') ?? referenceTo(sale, 'referral'),
    saleAmountCents: saleAmount(sale),
    saleRefundedCents: sale.refund_amount_cents,
    saleCurrency: sale.currency,
    saleBillingId: sale.stripe_charge_id ?? sale.external_id,
    saleOccurredAt: sale.charged_at ?? sale.invoiced_at,
    saleCreatedAt: sale.created_at,
    saleUpdatedAt: sale.updated_at,
  }
}

/** The amount that commissions are calculated from, before refunds: the charge without its tax. */
function saleAmount({ charge_amount_cents: charge, tax_amount_cents: tax, ...sale }: Wire): unknown {
  const number = (value: unknown) => (value === undefined || value === null || value === '' ? null : Number(value))
  const [charged, taxed] = [number(charge), number(tax) ?? 0]
  if (charged !== null) return charged - taxed
  const [sold, refunded] = [number(sale.sale_amount_cents), number(sale.refund_amount_cents) ?? 0]
  return sold === null ? undefined : sold + refunded
}
