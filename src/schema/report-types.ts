// The types of reports.
import '../modules/analytics/graphql.ts'
import '../modules/analytics/graphql-balances.ts'
import '../modules/analytics/graphql-by-affiliate.ts'
import '../modules/analytics/graphql-by-campaign.ts'
import '../modules/analytics/graphql-leaderboard.ts'
import '../modules/analytics/graphql-reports.ts'
