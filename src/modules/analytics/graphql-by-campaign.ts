import { batched } from '../../graphql/batch.ts'
import { builder, supersetOnly } from '../../graphql/builder.ts'
import { programScope } from '../../graphql/context.ts'
import { type CampaignCounts, countByCampaign } from './by-campaign.ts'

/** Adds a count to the campaign in the superset profile. All campaigns of a page are counted in one statement. */
function countField(name: string, count: keyof CampaignCounts, description: string): void {
  builder.prismaObjectField('Campaign', name, (t) =>
    t.int({
      subGraphs: supersetOnly,
      description,
      resolve: async ({ id }, _args, ctx) =>
        (await batched(ctx, 'campaign counts', id, (ids) => countByCampaign(programScope(ctx), ids)))[count],
    }),
  )
}

countField('visitors', 'visitors', 'The number of referrals of this campaign, in any state.')
countField('leads', 'leads', 'The number of referrals of this campaign that became a lead.')
countField('conversions', 'conversions', 'The number of referrals of this campaign that became a conversion.')
countField('affiliateCount', 'affiliates', 'The number of affiliates in this campaign.')
