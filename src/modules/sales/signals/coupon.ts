import { existing, type FactsPart, type Signal } from './signal.ts'

/** A coupon needs no earlier visit: the referral of that affiliate and customer is used, or created. */
export const coupon: Signal = {
  signal: 'coupon',
  field: 'coupon',
  lookups: {
    coupon: {
      types: ['text'],
      values: ({ couponKeys }) => [couponKeys[0]],
      part: ([key]) =>
        byCoupon(`coupon as (
    select id, affiliate_id, archived_at from affiliate_coupons where program_id = $1::uuid and token_key = ${key}
  )`),
    },
    coupons: {
      types: ['jsonb', 'timestamptz'],
      values: ({ couponKeys, occurredAt }) => [JSON.stringify(couponKeys), occurredAt.toISOString()],
      part: ([keys, occurredAt]) => byCoupon(firstCoupon(keys as string, occurredAt as string)),
    },
  },
  lookupFor({ couponKeys }) {
    if (couponKeys.length === 0) return null
    return couponKeys.length === 1 ? 'coupon' : 'coupons'
  },
  match(sale, { coupon: found, affiliate, campaign, ofAffiliate }) {
    if (!found || !affiliate || !campaign) return 'not_found'
    if (affiliate.state !== 'active') return 'affiliate_not_active'
    // Like a referral's window, this is decided by when the sale occurred.
    const isArchived = ({ archivedAt }: { archivedAt: Date | null }) =>
      archivedAt !== null && archivedAt <= sale.occurredAt
    if (isArchived(found) || isArchived(campaign)) return 'archived'
    return ofAffiliate
      ? existing(ofAffiliate)
      : { referral: null, affiliate, campaign, couponId: found.id, heldReason: null }
  },
}

const byCoupon = (table: string): FactsPart => ({
  tables: [table],
  affiliate: '(select affiliate_id from coupon)',
  found: { coupon: `(select json_build_object('id', id, 'archivedAt', archived_at) from coupon)` },
})

/** The first code that can bring the sale to an affiliate, else the first that exists. */
const firstCoupon = (keys: string, occurredAt: string) => `coupon as (
    select k.id, k.affiliate_id, k.archived_at
    from jsonb_array_elements_text(${keys}) with ordinality as given (key, number)
      join affiliate_coupons k on k.program_id = $1::uuid and k.token_key = given.key
      join affiliates a on a.program_id = k.program_id and a.id = k.affiliate_id
      join campaigns c on c.program_id = a.program_id and c.id = a.campaign_id
    order by a.state = 'active' and coalesce(least(k.archived_at, c.archived_at) > ${occurredAt}, true) desc, given.number
    limit 1
  )`
