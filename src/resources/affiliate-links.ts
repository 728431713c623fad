import type { AffiliateLink } from '../generated/prisma/client.ts'
import type { Fields, FieldsOf, Resource } from './resource.ts'

export const affiliateLinks = {
  object: 'affiliate_link',
  fields: {
    id: { kind: 'id', contract: true },
    url: { kind: 'text', computed: true, contract: true },
    token: { kind: 'text', contract: true },
    visitors: { kind: 'number', contract: true },
    leads: { kind: 'number', contract: true },
    conversions: { kind: 'number', contract: true },
    affiliateId: { kind: 'id', contract: true },
  } as const satisfies Partial<FieldsOf<AffiliateLink>> & Fields,
  superset: {},
} as const satisfies Resource
