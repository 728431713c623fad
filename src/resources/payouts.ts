import type { Payout } from '../generated/prisma/client.ts'
import { type Fields, type FieldsOf, hidden, type Resource } from './resource.ts'
import { statesOf } from './states.ts'
import { field, resource, state } from './superset.ts'

export const payouts = {
  object: 'payout',
  fields: {
    programId: hidden,
    id: { kind: 'id', contract: true, exported: true },
    createdAt: { kind: 'time', exported: true },
    updatedAt: { kind: 'time', exported: true },
    state: { kind: 'word', enum: 'PayoutState', computed: true, contract: true, exported: true },
    currency: { kind: 'word', contract: true, recorded: true, exported: true },
    amountCents: { kind: 'cents', wire: 'amount', contract: true, recorded: true, exported: true },
    paidAt: { kind: 'time', nullable: true, contract: true, recorded: true, exported: true },
    sentAt: { kind: 'time', nullable: true, recorded: true },
    failedAt: { kind: 'time', nullable: true, recorded: true },
    affiliateId: { kind: 'id', contract: true, recorded: true, exported: true },
    reference: { kind: 'text', nullable: true, recorded: true, exported: true },
    paidById: { kind: 'id', nullable: true },
    dueNotedAt: { kind: 'time', nullable: true },
    isPayable: { kind: 'flag' },
  } as const satisfies FieldsOf<Payout> & Fields,
  states: statesOf({
    failed: [{ failedAt: 'value' }],
    paid: [{ paidAt: 'value', failedAt: 'null' }],
    pending: [{ paidAt: 'null', failedAt: 'null' }],
  }),
  superset: {
    state: state('conventionState'),
    created_at: field('createdAt'),
    updated_at: field('updatedAt'),
    paid_by_id: field('paidById'),
    affiliate: resource('Affiliate', 'affiliate'),
    commissions: resource('Commission', 'commissionList'),
  },
} as const satisfies Resource
