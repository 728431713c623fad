import type { Data } from './marks.ts'

/** Paths of the dashboard, below the program: of a list, and of a row that has a page. */
type Shown = { list: string; row?: (row: Data) => string }

const byId = (list: string): Shown => ({ list, row: ({ id }) => `${list}/${id}` })
const ofAffiliate: Shown = { list: 'affiliates', row: ({ affiliateId }) => `affiliates/${affiliateId}` }

/** Where the dashboard shows the lists of GraphQL. */
export const pages = {
  affiliates: byId('affiliates'),
  affiliateCoupons: ofAffiliate,
  affiliateGroups: { list: 'affiliates' },
  affiliateLinks: ofAffiliate,
  applications: { list: 'applications' },
  campaigns: byId('campaigns'),
  commissions: byId('commissions'),
  customers: byId('customers'),
  events: { list: 'developers' },
  feedEvents: byId('sales/events'),
  feeds: { list: 'developers', row: ({ id }) => `developers/feeds/${id}` },
  invoices: { list: 'payouts/invoices' },
  mails: { list: 'mails' },
  payoutRuns: byId('payouts/runs'),
  payoutRunItems: { list: 'payouts/runs', row: ({ payoutId }) => `payouts/${payoutId}` },
  payouts: byId('payouts'),
  proposals: { list: 'proposals' },
  referrals: { list: 'customers' },
  refunds: { list: 'sales' },
  sales: byId('sales'),
  statements: { list: 'payouts/statements' },
  unattributedSales: { list: 'sales?show=unattributed' },
  waitingRefunds: { list: 'sales' },
  webhookDeliveries: { list: 'developers', row: ({ endpointId }) => `developers/webhooks/${endpointId}` },
  webhookEndpoints: { list: 'developers', row: ({ id }) => `developers/webhooks/${id}` },
} satisfies Record<string, Shown>
export type List = keyof typeof pages

/** @returns the path of a row, or null if it has no page of its own */
export function rowPage(list: List, row: Data): string | null {
  const shown: Shown = pages[list]
  return shown.row?.(row) ?? null
}

/** @returns the path of a row, or that of its list */
export const pageOf = (list: List, row: Data): string => rowPage(list, row) ?? pages[list].list
