import type { Sale } from '../generated/prisma/client.ts'
import type { Fields, FieldsOf, Resource } from './resource.ts'
import { statesOf } from './states.ts'
import { always, field, noAccounts, resource } from './superset.ts'

const joined = { nullable: true, computed: true } as const

export const sales = {
  object: 'sale',
  fields: {
    id: { kind: 'id', contract: true, exported: true },
    createdAt: { kind: 'time', exported: true },
    updatedAt: { kind: 'time', exported: true },
    occurredAt: { kind: 'time', exported: true },
    externalId: { kind: 'text', nullable: true, exported: true },
    amountCents: { kind: 'cents', exported: true },
    currency: { kind: 'word', exported: true },
    refundedCents: { kind: 'cents', exported: true },
    affiliateId: { kind: 'id', exported: 'The id of the affiliate.' },
    campaignId: { kind: 'id', exported: 'The id of the campaign.' },
    referralId: { kind: 'id', exported: 'The id of the referral.' },
    customerEmail: { kind: 'text', ...joined, exported: "The customer's e-mail address. Null if unknown." },
    customerName: { kind: 'text', nullable: true, personal: 'name', exported: true },
    attributedBy: { kind: 'word', enum: 'AttributionSignal', exported: true },
    outcome: {
      kind: 'word',
      enum: 'SaleOutcome',
      computed: true,
      exported: 'Whether the sale earned a commission, or why not.',
    },
    commissionAmountCents: {
      kind: 'cents',
      ...joined,
      exported:
        'The sum of the commissions of the sale, including negative but not void ones, in minor units of `commissionCurrency`. Null if the sale never had a commission.',
    },
    commissionCurrency: {
      kind: 'word',
      ...joined,
      exported: 'The currency of the commissions. Null if the sale never had a commission.',
    },
    affiliateEmail: { kind: 'text', computed: true, exported: 'The e-mail address of the affiliate today.' },
    campaignName: { kind: 'text', computed: true, exported: 'The name of the campaign today.' },
    source: {
      kind: 'word',
      enum: 'SaleSource',
      computed: true,
      exported: 'Where the sale comes from. `attributedBy` is the signal by which it was found.',
    },
  } as const satisfies Partial<FieldsOf<Sale>> & Fields,
  superset: {
    currency: field('currency'),
    charged_at: field('occurredAt'),
    invoiced_at: field('occurredAt'),
    created_at: field('createdAt'),
    updated_at: field('updatedAt'),
    charge_amount_cents: field('amountCents'),
    refund_amount_cents: field('refundedCents'),
    tax_amount_cents: always(0, 'Taxes are not reported.'),
    sale_amount_cents: field('netAmountCents'),
    stripe_charge_id: field('externalId'),
    stripe_account_id: noAccounts,
    referral: resource('Referral', 'referral'),
    affiliate: resource('Affiliate', 'affiliate'),
  },
} as const satisfies Resource

/** What became of a sale, by the commission that it earned. */
export const earnedOutcomes = statesOf({
  void: [{ voidedAt: 'value' }],
  held: [{ voidedAt: 'null', heldReason: 'value' }],
  earned: [{ voidedAt: 'null', heldReason: 'null' }],
})
