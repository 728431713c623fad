import { namedReferralSql } from '../../referrals/lead-facts.ts'
import type { SaleReferral } from './sale-facts.ts'
import { clockGraceMinutes, existing, type ReportedSale, type Signal } from './signal.ts'

/** The id of a referral, or its id on the server that it was imported from. */
export const referralId: Signal = {
  signal: 'referral_id',
  field: 'referralId',
  lookups: {
    referral: {
      types: ['uuid'],
      values: ({ referral }) => [referral.ownId],
      part: ([ownId]) => ({ chosen: { named: ownId as string } }),
    },
    importedReferral: {
      types: ['uuid', 'text', 'text'],
      values: ({ referral }) => [referral.ownId, referral.given, referral.inOwnCase],
      part: ([ownId, ...ids]) => ({ chosen: { named: namedReferralSql('$1::uuid', ownId as string, ids.join(', ')) } }),
    },
  },
  lookupFor({ referral }, searchesImported) {
    if (referral.given === null) return null
    return searchesImported ? 'importedReferral' : 'referral'
  },
  match(sale, { named }) {
    if (!named) return 'not_found'
    if (named.affiliate.state !== 'active') return 'affiliate_not_active'
    // The expiry applies to the first sale only.
    if (!named.becameConversionAt && named.expiresAt <= sale.occurredAt) return 'expired'
    if (named.endedAt && named.endedAt <= sale.occurredAt) return 'expired'
    return { ...existing(named), heldReason: isLater(named, sale) ? 'visit_after_sale' : null }
  },
}

/** Whether a referral began after the sale. Without a link, it began with its first sale. */
function isLater({ linkId, becameLeadAt, createdAt }: SaleReferral, { occurredAt }: ReportedSale): boolean {
  const began = linkId === null && becameLeadAt && becameLeadAt < createdAt ? becameLeadAt : createdAt
  return began.getTime() > occurredAt.getTime() + clockGraceMinutes * 60_000
}
