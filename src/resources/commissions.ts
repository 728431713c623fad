import type { Commission } from '../generated/prisma/client.ts'
import type { Fields, FieldsOf, Resource } from './resource.ts'
import { always, campaignSummary, field, marked, noAccounts, resource, state } from './superset.ts'

export const commissions = {
  object: 'commission',
  fields: {
    id: { kind: 'id', contract: true, exported: 'The id of the commission.' },
    createdAt: { kind: 'time', exported: 'When the commission was recorded.' },
    updatedAt: { kind: 'time', exported: 'When the commission was last changed.' },
    currency: { kind: 'word', contract: true, exported: 'The currency, as a lower-case ISO 4217 code.' },
    amountCents: {
      kind: 'cents',
      wire: 'amount',
      contract: true,
      exported:
        'The amount of the commission, in minor units of `currency`. Negative for a debt, which a refund creates after payment.',
    },
    state: {
      kind: 'word',
      enum: 'CommissionState',
      computed: true,
      contract: true,
      exported: 'The state of the commission when the row was read.',
    },
    dueAt: { kind: 'time', contract: true, exported: 'When the commission becomes due.' },
    paidAt: {
      kind: 'time',
      nullable: true,
      contract: true,
      exported: 'When the commission was paid. Null if it is not paid.',
    },
    voidedAt: {
      kind: 'time',
      nullable: true,
      exported: 'When the commission was voided. Null if it is not void.',
    },
    campaignId: { kind: 'id', contract: true, exported: 'The id of the campaign.' },
    affiliateId: { kind: 'id', contract: true, exported: 'The id of the affiliate.' },
    referralId: { kind: 'id', exported: 'The id of the referral.' },
    saleId: { kind: 'id', exported: 'The id of the sale.' },
    payoutId: {
      kind: 'id',
      nullable: true,
      exported: 'The id of the payout that the commission is collected into. Null if it is in no payout.',
    },
  } as const satisfies Partial<FieldsOf<Commission>> & Fields,
  superset: {
    state: state('conventionState'),
    created_at: field('createdAt'),
    updated_at: field('updatedAt'),
    voided_at: field('voidedAt'),
    campaign: campaignSummary,
    sale: marked(resource('Sale', 'sale'), { within: 'onExpand' }),
    affiliate: marked(resource('Affiliate', 'affiliate'), { onExpand: true }),
    stripe_account_id: noAccounts,
    deleted: marked(always(true, 'The convention deletes commissions; the contract voids them.'), {
      onlyIn: 'voidCommission',
    }),
  },
} as const satisfies Resource
