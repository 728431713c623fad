import type { Referral } from '../generated/prisma/client.ts'
import type { Fields, FieldsOf, Resource } from './resource.ts'
import { alwaysNull, field, marked, noAccounts, object, resource, same } from './superset.ts'

export const referrals = {
  object: 'referral',
  fields: {
    id: { kind: 'id', contract: true, exported: 'The id of the referral.' },
    createdAt: { kind: 'time', exported: 'When the referral was created.' },
    updatedAt: { kind: 'time', exported: 'When the referral was last changed.' },
    conversionState: {
      kind: 'word',
      enum: 'ConversionState',
      computed: true,
      contract: true,
      exported: 'Whether the referral is a visitor, a lead or a conversion.',
    },
    becameLeadAt: {
      kind: 'time',
      nullable: true,
      contract: true,
      exported: 'When the referral became a lead. Null if it did not.',
    },
    becameConversionAt: {
      kind: 'time',
      nullable: true,
      contract: true,
      exported: 'When the referral became a conversion. Null if it did not.',
    },
    expiresAt: {
      kind: 'time',
      contract: true,
      exported: 'After this time the referral cannot become a lead or a conversion.',
    },
    billingCustomerId: {
      kind: 'text',
      nullable: true,
      contract: true,
      personal: 'other',
      exported: 'The id of the customer in your billing system. Null if unknown.',
    },
    affiliateId: { kind: 'id', contract: true, exported: 'The id of the affiliate.' },
    campaignId: { kind: 'id', contract: true, exported: 'The id of the campaign.' },
    linkId: {
      kind: 'id',
      nullable: true,
      exported: 'The id of the link that the visitor came through. Null if there was none.',
    },
    couponId: {
      kind: 'id',
      nullable: true,
      exported: 'The id of the coupon that created the referral. Null if no coupon did.',
    },
  } as const satisfies Partial<FieldsOf<Referral>> & Fields,
  superset: {
    created_at: field('createdAt'),
    updated_at: field('updatedAt'),
    link: resource('AffiliateLink', 'link'),
    coupon: resource('AffiliateCoupon', 'coupon'),
    visits: field('visits'),
    customer: object('ReferralCustomer', 'knownCustomer', {
      platform: field('platform'),
      id: field('id'),
      name: field('name'),
      email: field('email'),
    }),
    affiliate: marked(resource('Affiliate', 'affiliate'), { onExpand: true, within: 'always' }),
    deactivated_at: alwaysNull('Referrals are not deactivated; they expire.'),
    stripe_customer_id: same('billing_customer_id'),
    stripe_account_id: noAccounts,
  },
} as const satisfies Resource
