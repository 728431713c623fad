import type { Commission } from '../generated/prisma/client.ts'
import type { Fields, FieldsOf, Resource } from './resource.ts'
import { statesOf } from './states.ts'
import { always, campaignSummary, field, marked, noAccounts, resource, state } from './superset.ts'

/** Such a commission can still be amended, voided and paid. */
const unsettled = { voidedAt: 'null', paidAt: 'null' } as const

export const commissions = {
  object: 'commission',
  fields: {
    id: { kind: 'id', contract: true, exported: true },
    createdAt: { kind: 'time', exported: true },
    updatedAt: { kind: 'time', exported: true },
    currency: { kind: 'word', contract: true, exported: true },
    amountCents: { kind: 'cents', wire: 'amount', contract: true, exported: true },
    state: { kind: 'word', enum: 'CommissionState', computed: true, contract: true, exported: true },
    dueAt: { kind: 'time', contract: true, exported: true },
    paidAt: { kind: 'time', nullable: true, contract: true, exported: true },
    voidedAt: { kind: 'time', nullable: true, exported: true },
    campaignId: { kind: 'id', contract: true, exported: true },
    affiliateId: { kind: 'id', contract: true, exported: true },
    referralId: {
      kind: 'id',
      nullable: true,
      exported: 'The id of the referral. Null for a bonus and a correction.',
    },
    saleId: { kind: 'id', nullable: true, exported: 'The id of the sale. Null if the commission is not for a sale.' },
    payoutId: {
      kind: 'id',
      nullable: true,
      exported: 'The id of the payout that the commission is collected into. Null if it is in no payout.',
    },
    kind: { kind: 'word', enum: 'CommissionKind', exported: true },
    reason: { kind: 'text', nullable: true, exported: true },
  } as const satisfies Partial<FieldsOf<Commission>> & Fields,
  // A held commission stays pending.
  states: statesOf({
    void: [{ voidedAt: 'value' }],
    paid: [{ voidedAt: 'null', paidAt: 'value' }],
    due: [{ ...unsettled, heldReason: 'null', dueAt: 'until' }],
    pending: [
      { ...unsettled, heldReason: 'null', dueAt: 'after' },
      { ...unsettled, heldReason: 'value' },
    ],
  }),
  superset: {
    state: state('conventionState'),
    created_at: field('createdAt'),
    updated_at: field('updatedAt'),
    voided_at: field('voidedAt'),
    kind: field('kind'),
    reason: field('reason'),
    campaign: campaignSummary,
    sale: marked(resource('Sale', 'sale'), { within: 'onExpand' }),
    affiliate: marked(resource('Affiliate', 'affiliate'), { onExpand: true }),
    stripe_account_id: noAccounts,
    deleted: marked(always(true, 'The convention deletes commissions; the contract voids them.'), {
      onlyIn: 'voidCommission',
    }),
  },
} as const satisfies Resource
