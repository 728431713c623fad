import type { Fields } from './resource.ts'

const ofSale = { kind: 'id', computed: true } as const

/** What exports have of refunds. */
export const refunds = {
  fields: {
    id: { kind: 'id', exported: true },
    createdAt: { kind: 'time', exported: true },
    updatedAt: { kind: 'time', computed: true, exported: 'When the refund was reported, or reversed.' },
    occurredAt: { kind: 'time', computed: true, exported: true },
    externalId: { kind: 'text', nullable: true, exported: true },
    amountCents: { kind: 'cents', exported: true },
    currency: { kind: 'word', computed: true, exported: 'The currency of the sale.' },
    reversedAt: { kind: 'time', nullable: true, exported: true },
    reversalReason: { kind: 'text', nullable: true, exported: true },
    saleId: { kind: 'id', exported: 'The id of the sale.' },
    affiliateId: { ...ofSale, exported: 'The id of the affiliate of the sale.' },
    campaignId: { ...ofSale, exported: 'The id of the campaign of the sale.' },
    customerId: { ...ofSale, nullable: true, exported: 'The id of the customer. Null if the customer is not known.' },
  } as const satisfies Fields,
}
