import type { AffiliateCoupon } from '../generated/prisma/client.ts'
import type { Fields, FieldsOf, Resource } from './resource.ts'
import { field } from './superset.ts'

/** What a new coupon has besides its code. The database sets `firstOf`, see prisma/sql/coupons.sql. */
export const newCoupon = {
  visitors: 0,
  leads: 0,
  conversions: 0,
  archivedAt: null,
  firstOf: null,
  discountBasisPoints: null,
  discountAmountCents: null,
  discountCurrency: null,
}

export const affiliateCoupons = {
  object: 'affiliate_coupon',
  fields: {
    id: { kind: 'id', contract: true },
    token: { kind: 'text', contract: true },
    affiliateId: { kind: 'id', contract: true },
    archivedAt: { kind: 'time', nullable: true },
  } as const satisfies Partial<FieldsOf<AffiliateCoupon>> & Fields,
  superset: {
    external_id: field('externalIdOrId'),
    leads: field('leads'),
    conversions: field('conversions'),
    archived: field('archived'),
    archived_at: field('archivedAt'),
  },
} as const satisfies Resource
