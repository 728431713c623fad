import { builder, publicOnly } from '../graphql/builder.ts'
import { groupings } from '../graphql/groups.ts'
import { recordOf, recordsOf } from '../graphql/record.ts'
import { AffiliateCouponType } from '../modules/affiliates/coupons/graphql.ts'
import { AffiliateType } from '../modules/affiliates/graphql.ts'
import { AffiliateGroupType } from '../modules/affiliates/groups/graphql.ts'
import { AffiliateLinkType } from '../modules/affiliates/links/graphql.ts'
import { CampaignType } from '../modules/campaigns/graphql.ts'
import { CustomerType } from '../modules/customers/graphql.ts'
import { EventType } from '../modules/event-log/graphql.ts'
import { ShadowDifferenceType, ShadowMonthType } from '../modules/imports/shadow/graphql.ts'
import { PayoutType } from '../modules/payouts/graphql.ts'
import { PersonExportType } from '../modules/personal-data/graphql.ts'
import { RulePlanSaleType } from '../modules/rule-plans/graphql.ts'
import { CommissionRuleType } from '../modules/rules/graphql.ts'
import { ConditionsType } from '../modules/rules/graphql-terms.ts'
import { SaleType } from '../modules/sales/graphql.ts'
import { ReplayPayload } from '../modules/webhooks/graphql.ts'

// The record beside each id of one, where the noun cannot import the type of the record, or its row has no relation to
// it. test/graphql/records.test.ts names the ids that have no record.

/** For rows of `groupBy`: what a column refers to. */
const groupRecords = {
  affiliateId: { name: 'affiliate', model: 'affiliate', type: AffiliateType, noun: 'affiliate' },
  campaignId: { name: 'campaign', model: 'campaign', type: CampaignType, noun: 'campaign' },
  couponId: { name: 'coupon', model: 'affiliateCoupon', type: AffiliateCouponType, noun: 'coupon' },
  linkId: { name: 'link', model: 'affiliateLink', type: AffiliateLinkType, noun: 'link' },
  payoutId: { name: 'payout', model: 'payout', type: PayoutType, noun: 'payout' },
} as const

for (const { group, ids } of groupings)
  for (const { name: id, column } of ids) {
    const { name, model, type, noun } = groupRecords[id as keyof typeof groupRecords]
    builder.objectField(group, name, (t) =>
      t.field({
        type: type as typeof AffiliateType,
        nullable: true,
        // In the cost of `groupBy`, one stands for 25 groups.
        complexity: { field: 25, multiplier: 25 },
        description: `The ${noun} of the rows. Null where \`${id}\` is.`,
        resolve: ({ of }, _args, ctx) => recordOf(ctx, model as 'affiliate', of.keys[column] as string | null),
      }),
    )
  }

builder.prismaObjectFields('Event', (t) => ({
  affiliate: t.field({
    type: AffiliateType,
    nullable: true,
    subGraphs: publicOnly,
    description: 'The affiliate that the resource belongs to, or null.',
    resolve: ({ affiliateId }, _args, ctx) => recordOf(ctx, 'affiliate', affiliateId),
  }),
  campaign: t.field({
    type: CampaignType,
    nullable: true,
    subGraphs: publicOnly,
    description: 'The campaign that the resource belongs to. Null if there is none, or it was deleted.',
    resolve: ({ campaignId }, _args, ctx) => recordOf(ctx, 'campaign', campaignId),
  }),
}))

builder.prismaObjectField('WebhookDelivery', 'event', (t) =>
  t.field({
    type: EventType,
    nullable: true,
    description: 'The event. Null for a test event, and if it is no longer kept.',
    resolve: ({ eventId }, _args, ctx) => recordOf(ctx, 'event', eventId),
  }),
)

builder.objectField(ReplayPayload, 'lastEvent', (t) =>
  t.field({
    type: EventType,
    nullable: true,
    description: 'The last event that was replayed. Null if no event matches.',
    resolve: ({ lastEventId }, _args, ctx) => recordOf(ctx, 'event', lastEventId),
  }),
)

builder.objectField(CommissionRuleType, 'campaign', (t) =>
  t.field({
    type: CampaignType,
    nullable: true,
    description: 'Its campaign. Null only if the campaign was deleted meanwhile.',
    resolve: ({ campaignId }, _args, ctx) => recordOf(ctx, 'campaign', campaignId),
  }),
)

builder.objectFields(ConditionsType, (t) => ({
  affiliates: t.field({
    type: [AffiliateType],
    nullable: true,
    description: 'The affiliates of `affiliateIds`.',
    resolve: ({ affiliateIds }, _args, ctx) => (affiliateIds ? recordsOf(ctx, 'affiliate', affiliateIds) : null),
  }),
  groups: t.field({
    type: [AffiliateGroupType],
    nullable: true,
    description: 'The groups of `groupIds`.',
    resolve: ({ groupIds }, _args, ctx) => (groupIds ? recordsOf(ctx, 'affiliateGroup', groupIds) : null),
  }),
}))

builder.objectFields(RulePlanSaleType, (t) => ({
  sale: t.field({
    type: SaleType,
    nullable: true,
    description: 'The sale.',
    resolve: ({ id }, _args, ctx) => recordOf(ctx, 'sale', id),
  }),
  affiliate: t.field({
    type: AffiliateType,
    nullable: true,
    description: 'Its affiliate.',
    resolve: ({ affiliateId }, _args, ctx) => recordOf(ctx, 'affiliate', affiliateId),
  }),
}))

builder.objectField(ShadowMonthType, 'affiliate', (t) =>
  t.field({
    type: AffiliateType,
    nullable: true,
    description: 'The affiliate.',
    resolve: ({ affiliateId }, _args, ctx) => recordOf(ctx, 'affiliate', affiliateId),
  }),
)

builder.objectFields(ShadowDifferenceType, (t) => ({
  sale: t.field({
    type: SaleType,
    nullable: true,
    description: 'The sale here. Null if there is none.',
    resolve: ({ saleId }, _args, ctx) => recordOf(ctx, 'sale', saleId),
  }),
  affiliate: t.field({
    type: AffiliateType,
    nullable: true,
    description: 'The affiliate here; of a sale that is only theirs, the affiliate there.',
    resolve: ({ affiliateId }, _args, ctx) => recordOf(ctx, 'affiliate', affiliateId),
  }),
}))

builder.objectFields(PersonExportType, (t) => ({
  customer: t.field({
    type: CustomerType,
    nullable: true,
    description: 'The customer. Null if the person is not a customer.',
    resolve: ({ customerId }, _args, ctx) => recordOf(ctx, 'customer', customerId),
  }),
  affiliate: t.field({
    type: AffiliateType,
    nullable: true,
    description: 'The affiliate. Null if the person is not an affiliate.',
    resolve: ({ affiliateId }, _args, ctx) => recordOf(ctx, 'affiliate', affiliateId),
  }),
}))
