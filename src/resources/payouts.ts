import type { Payout } from '../generated/prisma/client.ts'
import { type Fields, type FieldsOf, hidden, type Resource } from './resource.ts'
import { field, resource, state } from './superset.ts'

export const payouts = {
  object: 'payout',
  fields: {
    programId: hidden,
    id: { kind: 'id', contract: true, exported: 'The id of the payout.' },
    createdAt: { kind: 'time', exported: 'When the payout was opened.' },
    updatedAt: { kind: 'time', exported: 'When the payout was last changed.' },
    state: {
      kind: 'word',
      enum: 'PayoutState',
      computed: true,
      contract: true,
      exported: 'Whether the payout is open or paid.',
    },
    currency: {
      kind: 'word',
      contract: true,
      recorded: true,
      exported: 'The currency, as a lower-case ISO 4217 code.',
    },
    amountCents: {
      kind: 'cents',
      wire: 'amount',
      contract: true,
      recorded: true,
      exported: 'The sum of the commissions in the payout, in minor units of `currency`.',
    },
    paidAt: {
      kind: 'time',
      nullable: true,
      contract: true,
      recorded: true,
      exported: 'When the payout was marked as paid. Null while it is open.',
    },
    affiliateId: { kind: 'id', contract: true, recorded: true, exported: 'The id of the affiliate who is paid.' },
    reference: {
      kind: 'text',
      nullable: true,
      recorded: true,
      exported: 'The payment reference that was given when the payout was marked as paid. Null if none was given.',
    },
    dueNotedAt: { kind: 'time', nullable: true },
  } as const satisfies FieldsOf<Payout> & Fields,
  superset: {
    state: state('conventionState'),
    created_at: field('createdAt'),
    updated_at: field('updatedAt'),
    paid_by_id: field('paidById'),
    affiliate: resource('Affiliate', 'affiliate'),
    commissions: resource('Commission', 'commissionList'),
  },
} as const satisfies Resource
