import '../graphql/error-codes.ts'
import '../graphql/scalars.ts'
import '../modules/affiliates/coupons/graphql.ts'
import '../modules/affiliates/links/graphql.ts'
import '../modules/access/affiliate-tokens/graphql.ts'
import '../modules/affiliates/graphql.ts'
import '../modules/affiliates/graphql-commission-stats.ts'
import '../modules/affiliates/graphql-payment.ts'
import '../modules/analytics/graphql.ts'
import '../modules/analytics/graphql-by-affiliate.ts'
import '../modules/analytics/graphql-by-campaign.ts'
import '../modules/access/api-keys/graphql.ts'
import '../modules/campaigns/graphql.ts'
import '../modules/history/graphql.ts'
import '../modules/history/graphql-whole.ts'
import '../modules/commissions/graphql.ts'
import '../modules/sales/report/graphql.ts'
import '../modules/customers/graphql.ts'
import '../modules/doctor/graphql.ts'
import '../modules/event-log/graphql.ts'
import '../modules/exports/graphql.ts'
import '../modules/imports/graphql.ts'
import '../modules/payouts/graphql.ts'
import '../modules/payouts/graphql-minimum.ts'
import '../modules/payouts/graphql-preview.ts'
import '../modules/payouts/runs/graphql.ts'
import '../modules/payouts/runs/graphql-results.ts'
import '../modules/payouts/runs/graphql-import.ts'
import '../modules/programs/graphql.ts'
import '../modules/referrals/graphql.ts'
import '../modules/sales/refunds/graphql.ts'
import '../modules/sales/graphql.ts'
import '../modules/simulations/graphql.ts'
import '../modules/access/sign-in-links/graphql.ts'
import '../modules/people/graphql.ts'
import '../modules/people/graphql-saved-views.ts'
import '../modules/personal-data/graphql.ts'
import '../modules/failed-requests/graphql.ts'
import '../modules/sales/unattributed/graphql.ts'
import '../modules/webhooks/graphql.ts'
import './amounts.ts'
import './relations.ts'
import { PothosSubGraphPlugin } from '@pothos/plugin-sub-graph'
import { checkPothos } from '../execution/pothos.ts'
import { builder } from '../graphql/builder.ts'

/** The schema for GraphQL clients. */
export const publicSchema = builder.toSchema({ subGraph: 'public' })
checkPothos(publicSchema)

// Built once for both REST schemas, because building takes longer than selecting a part. Fields keep their order.
const wholeSchema = builder.toSchema({ sortSchema: false })
const partOf = (...subGraphs: string[]) => PothosSubGraphPlugin.createSubGraph(wholeSchema, subGraphs, builder)

/** The schema that the REST gateway runs its operations on; rest/schema.ts renames its elements for the contract. */
export const restSchema = partOf('rest')

/** Every field that a REST response can have; rest/superset.ts picks those that the convention's table lists. */
export const everythingSchema = partOf('rest', 'public', 'superset')
