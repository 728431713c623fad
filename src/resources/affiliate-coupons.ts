import type { AffiliateCoupon } from '../generated/prisma/client.ts'
import type { Fields, FieldsOf, Resource } from './resource.ts'
import { field } from './superset.ts'

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
