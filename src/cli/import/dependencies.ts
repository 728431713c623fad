import { emailKey } from '../../kernel/email.ts'
import { couponKey } from '../../modules/affiliates/coupons/code.ts'
import { tokenKey } from '../../modules/affiliates/tokens.ts'
import type { ListedKind } from '../../modules/imports/input.ts'
import type { SourceRecord, Wire } from './wire.ts'

// Which records of a source depend on which. A record offers names, such as its id or its e-mail address. It needs the
// records that it references, and those whose unique fields it shares.

const name = (noun: string, value: unknown): string[] =>
  typeof value === 'string' && value !== '' ? [`${noun} ${value}`] : []
const lowered = (noun: string, value: unknown, key: (text: string) => string): string[] =>
  typeof value === 'string' ? name(noun, key(value.trim())) : []
const itemsOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

const linkNames = ({ externalId, token }: Wire): string[] => [
  ...name('affiliate_link', externalId),
  ...lowered('token', token, tokenKey),
]

/** Payouts without a list of commissions are found by affiliate, currency and time. */
function momentNames({ affiliateId, currency, paidAt }: Wire): string[] {
  const at = new Date(String(paidAt))
  if (!paidAt || Number.isNaN(at.getTime())) return []
  return [`paid ${affiliateId} ${String(currency).toLowerCase()} ${at.toISOString()}`]
}

/** Names that only one record should have. A record needs the earlier ones that have them too. */
function uniqueNames(kind: ListedKind, record: SourceRecord): string[] {
  switch (kind) {
    case 'affiliate':
      return [
        ...lowered('email', record.email, emailKey),
        ...itemsOf(record.links).flatMap((link) => linkNames(link as Wire)),
      ]
    case 'affiliate_link':
      return linkNames(record)
    case 'affiliate_coupon':
      return [...lowered('coupon', record.token, couponKey), ...name('coupon of', record.affiliateId)]
    case 'commission':
      return [...name('sale', record.saleId), ...name('billing', record.saleBillingId)]
    default:
      return []
  }
}

export function offersOf(kind: ListedKind, record: SourceRecord): string[] {
  const own = [...name(kind, record.externalId), ...uniqueNames(kind, record)]
  if (kind === 'campaign' && record.isDefault === true) return [...own, 'default campaign']
  if (kind !== 'payout') return own
  const lines = itemsOf(record.commissionIds).flatMap((id) => name('line', id))
  return [...own, ...(lines.length > 0 ? lines : momentNames(record))]
}

/** The names by which a paid commission finds its payout. */
export const paymentNames = (record: SourceRecord): string[] => [
  ...name('line', record.externalId),
  ...momentNames(record),
]

export function needsOf(kind: ListedKind, record: SourceRecord): string[] {
  const references = [
    ...name('affiliate', record.affiliateId),
    ...name('campaign', record.campaignId),
    ...name('affiliate_link', record.linkId),
    ...name('affiliate_coupon', record.couponId),
    ...name('referral', record.referralId),
  ]
  if (kind === 'affiliate' && record.campaignId === undefined) references.push('default campaign')
  if (kind === 'commission') references.push(...paymentNames(record))
  return [...references, ...uniqueNames(kind, record)]
}
