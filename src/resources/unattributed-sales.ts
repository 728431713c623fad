import type { Fields } from './resource.ts'

/** What exports have of unattributed sales. */
export const unattributedSales = {
  fields: {
    id: { kind: 'id', exported: true },
    createdAt: { kind: 'time', exported: true },
    updatedAt: { kind: 'time', exported: true },
    occurredAt: { kind: 'time', exported: true },
    externalId: { kind: 'text', nullable: true, exported: true },
    amountCents: { kind: 'cents', exported: true },
    currency: { kind: 'word', exported: true },
    reason: {
      kind: 'word',
      computed: true,
      exported: 'Why the sale has no affiliate: the strongest signal and its outcome, or `no_signal`.',
    },
    email: { kind: 'text', nullable: true, exported: true },
    customerName: { kind: 'text', nullable: true, exported: true },
    coupon: { kind: 'text', nullable: true, exported: true },
    givenReferralId: {
      kind: 'text',
      nullable: true,
      computed: true,
      exported: 'The referral that the report named, as it was sent. Null if it named none.',
    },
    needsAttention: { kind: 'flag', exported: true },
    dismissedAt: { kind: 'time', nullable: true, exported: true },
  } as const satisfies Fields,
}
