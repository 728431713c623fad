import type { ObjectFields } from '../../graphql/builder.ts'
import { AffiliateCouponType } from '../affiliates/coupons/graphql.ts'
import { AffiliateType } from '../affiliates/graphql.ts'
import { AffiliateLinkType } from '../affiliates/links/graphql.ts'
import { CampaignType } from '../campaigns/graphql.ts'
import type { DimensionValue } from './labels.ts'

const present = (dimension: string, one: string) =>
  `The ${one}, if the dimension is ${dimension} and the ${one} is kept. Else null.`

/** What the row of a report is about: its id, its name and its record. @param id says when the id is null */
export const subjectFields = <Row extends DimensionValue>(
  t: ObjectFields<Row>,
  { id, label }: { id: string; label: string },
) => ({
  subjectId: t.id({ nullable: true, description: id, resolve: (row) => row.id }),
  label: t.string({ description: label, resolve: (row) => row.label }),
  affiliate: t.field({
    type: AffiliateType,
    nullable: true,
    description: present('AFFILIATE', 'affiliate'),
    resolve: (row) => row.affiliate ?? null,
  }),
  campaign: t.field({
    type: CampaignType,
    nullable: true,
    description: present('CAMPAIGN', 'campaign'),
    resolve: (row) => row.campaign ?? null,
  }),
  link: t.field({
    type: AffiliateLinkType,
    nullable: true,
    description: present('SOURCE', 'link'),
    resolve: (row) => row.link ?? null,
  }),
  coupon: t.field({
    type: AffiliateCouponType,
    nullable: true,
    description: present('COUPON', 'coupon'),
    resolve: (row) => row.coupon ?? null,
  }),
})
