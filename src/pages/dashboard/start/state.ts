import type { StartQuery } from '../../../generated/dashboard/start/graphql.ts'

export type Step = 'program' | 'site' | 'sales'

/** Which of the three steps are done. A program has a currency and a rate from its beginning. */
export const doneSteps = ({ visits, sales, unattributedSales }: StartQuery): Record<Step, boolean> => ({
  program: true,
  site: visits.nodes.length > 0,
  sales: sales.nodes.length + unattributedSales.nodes.length > 0,
})
