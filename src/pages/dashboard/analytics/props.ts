import type { AnalyticsRange } from '../../../generated/dashboard/analytics/graphql.ts'
import type { ListState } from '../list/use-list-state.ts'
import type { Asked } from './report-settings.ts'

export type ReportsProps = {
  asked: Asked
  /** The variables that all queries have. */
  about: { range: AnalyticsRange; timeZone: string; currency: string }
  /** Changes the address. */
  choose: ListState['filter']
}
