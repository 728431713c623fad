import type { Fields } from './resource.ts'

/** What exports have of the payments of payout runs. */
export const payments = {
  fields: {
    id: { kind: 'id', exported: true },
    createdAt: { kind: 'time', exported: true },
    updatedAt: { kind: 'time', exported: true },
    state: { kind: 'word', enum: 'PayoutItemState', exported: true },
    method: { kind: 'word', computed: true, exported: 'The payout method of the run.' },
    currency: { kind: 'word', exported: true },
    amountCents: { kind: 'cents', exported: true },
    withheldCents: { kind: 'cents', exported: true },
    goneCents: { kind: 'cents', exported: true },
    runId: { kind: 'id', exported: 'The id of the payout run.' },
    payoutId: { kind: 'id', exported: true },
    affiliateId: { kind: 'id', exported: true },
    recipient: { kind: 'text', nullable: true, exported: true },
    reference: { kind: 'text', nullable: true, exported: true },
    reason: { kind: 'text', nullable: true, exported: true },
    sentAt: { kind: 'time', nullable: true, computed: true, exported: 'When the run was sent. Null before.' },
  } as const satisfies Fields,
}
