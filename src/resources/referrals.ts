import type { Referral } from '../generated/prisma/client.ts'
import type { Fields, FieldsOf, Resource } from './resource.ts'
import { statesOf } from './states.ts'
import { alwaysNull, field, marked, noAccounts, object, resource, same } from './superset.ts'

export const referrals = {
  object: 'referral',
  fields: {
    id: { kind: 'id', contract: true, exported: true },
    createdAt: { kind: 'time', exported: true },
    updatedAt: { kind: 'time', exported: true },
    conversionState: { kind: 'word', enum: 'ConversionState', computed: true, contract: true, exported: true },
    becameLeadAt: { kind: 'time', nullable: true, contract: true, exported: true },
    becameConversionAt: { kind: 'time', nullable: true, contract: true, exported: true },
    expiresAt: { kind: 'time', contract: true, exported: true },
    billingCustomerId: { kind: 'text', nullable: true, contract: true, personal: 'other', exported: true },
    affiliateId: { kind: 'id', contract: true, exported: true },
    campaignId: { kind: 'id', contract: true, exported: true },
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
    sub: {
      kind: 'text',
      nullable: true,
      exported: 'The sub-id of the visit, such as that of a video. Null without one.',
    },
    agentProvider: {
      kind: 'text',
      nullable: true,
      exported: 'The provider that the agent named, if the referral began by what an agent said. Null otherwise.',
    },
  } as const satisfies Partial<FieldsOf<Referral>> & Fields,
  states: statesOf({
    conversion: [{ becameConversionAt: 'value' }],
    lead: [{ becameLeadAt: 'value', becameConversionAt: 'null' }],
    visitor: [{ becameLeadAt: 'null', becameConversionAt: 'null' }],
  }),
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
