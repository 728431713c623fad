import './scalars.ts'
import '../affiliate-coupons/graphql.ts'
import '../affiliate-links/graphql.ts'
import '../affiliate-tokens/graphql.ts'
import '../affiliates/graphql.ts'
import '../analytics/graphql.ts'
import '../api-keys/graphql.ts'
import '../campaigns/graphql.ts'
import '../changes/graphql.ts'
import '../commissions/graphql.ts'
import '../conversions/graphql.ts'
import '../customers/graphql.ts'
import '../doctor/graphql.ts'
import '../exports/graphql.ts'
import '../imports/graphql.ts'
import '../payouts/graphql.ts'
import '../programs/graphql.ts'
import '../referrals/graphql.ts'
import '../refunds/graphql.ts'
import '../sales/graphql.ts'
import '../simulations/graphql.ts'
import '../sso/graphql.ts'
import '../unattributed-sales/graphql.ts'
import './affiliate-analytics.ts'
import './relations.ts'
import { guardSchema } from './access.ts'
import { builder } from './builder.ts'
import { gatherBeforePayouts } from './fresh-payouts.ts'

/** What GraphQL clients see. */
export const publicSchema = guardSchema(gatherBeforePayouts(builder.toSchema({ subGraph: 'public' })))

/** What the REST gateway runs its operations on, before rest/schema.ts puts it into the contract's words. Fields keep their order. */
export const restSchema = builder.toSchema({ subGraph: 'rest', sortSchema: false })

/** All that a REST answer can be made of: rest/superset.ts picks from it what the convention's table names. */
export const everythingSchema = builder.toSchema({ subGraph: ['rest', 'public', 'superset'], sortSchema: false })
