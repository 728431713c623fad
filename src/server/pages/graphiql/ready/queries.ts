import { nextWeek } from './dates.ts'

export type ReadyQuery = {
  title: string
  /** Its comment says what it shows, and how: see result/view.ts. The operation's name becomes the tab's. */
  query: string
  /** Filled in when the query is opened: dates are relative to now, days are those of the zone. */
  variables: (now: Date, timeZone: string) => Record<string, unknown>
}

/** The operation's name, which no two ready queries share. */
export const nameOf = ({ query }: Pick<ReadyQuery, 'query'>): string => /^query (\w+)/m.exec(query)?.[1] ?? ''

const rangeOf = (preset: string) => (_now: Date, timeZone: string) => ({ range: { preset }, timeZone })

/** What analysts ask most, in the words they ask it. */
export const readyQueries: ReadyQuery[] = [
  {
    title: 'Top ten affiliates this quarter',
    query: `# The ten affiliates who sold most this quarter.
# view: chart
query TopTenAffiliates($range: AnalyticsRange!, $timeZone: String) {
  analytics(range: $range, timeZone: $timeZone) {
    top(by: SALES_AMOUNT, dimension: AFFILIATE, limit: 10) {
      rank
      label
      sales: money { formatted }
      affiliate { email visitors conversions }
    }
  }
}`,
    variables: rangeOf('THIS_QUARTER'),
  },
  {
    title: 'What do we owe, by currency',
    query: `# What affiliates have earned and were not paid yet: all of it, what is due, what is still to come, and when.
# view: table
query WhatWeOwe($range: AnalyticsRange!, $timeZone: String) {
  analytics(range: $range, timeZone: $timeZone) {
    liability {
      currency
      owed { formatted }
      due { formatted }
      pending { formatted }
      weeks { week start amount { formatted } commissions }
    }
  }
}`,
    variables: rangeOf('TODAY'),
  },
  {
    title: 'Funnel by campaign',
    query: `# From visitor to sale, for each campaign, over the last 90 days.
# view: chart
query FunnelByCampaign($range: AnalyticsRange!, $timeZone: String) {
  analytics(range: $range, timeZone: $timeZone) {
    funnel(by: CAMPAIGN) {
      label
      visitors
      leads
      conversions
      sales
      leadRate
      conversionRate
    }
  }
}`,
    variables: rangeOf('LAST_90_DAYS'),
  },
  {
    title: 'Commissions due next week',
    query: `# Commissions that become due from Monday to Monday, the first one first.
# view: table
query DueNextWeek($from: DateTime!, $to: DateTime!) {
  commissions(
    first: 100
    where: { dueAt: { gte: $from, lt: $to }, state: { in: [PENDING, DUE] } }
    orderBy: [{ field: DUE_AT, direction: ASC }]
  ) {
    totalCount
    nodes {
      dueAt
      amountCents
      currency
      affiliate { email }
      campaign { name }
      sale { externalId }
    }
  }
}`,
    variables: (now) => nextWeek(now),
  },
  {
    title: 'Refund rate by month',
    query: `# The share of sales that were refunded, month by month.
# view: chart
query RefundRateByMonth($range: AnalyticsRange!, $timeZone: String) {
  analytics(range: $range, timeZone: $timeZone) {
    timeSeries(metric: REFUND_RATE, interval: MONTH) {
      points { label refundRate: value }
    }
  }
}`,
    variables: rangeOf('LAST_12_MONTHS'),
  },
  {
    title: 'Sales by day, against the year before',
    query: `# Sales of each day of the last 30, and of the same days a year before.
# view: chart
query SalesByDay($range: AnalyticsRange!, $timeZone: String) {
  analytics(range: $range, timeZone: $timeZone) {
    timeSeries(metric: SALES_AMOUNT, interval: DAY, compareTo: PREVIOUS_YEAR) {
      points {
        label
        sales: money { formatted }
        yearBefore: comparisonMoney { formatted }
      }
    }
  }
}`,
    variables: rangeOf('LAST_30_DAYS'),
  },
  {
    title: 'New customers by cohort',
    query: `# Customers by the month of their first sale, and how many of them bought again in the months after.
# view: table
query NewCustomersByCohort($range: AnalyticsRange!, $timeZone: String) {
  analytics(range: $range, timeZone: $timeZone) {
    cohorts(by: MONTH) {
      month
      customers
      salesAmount { formatted }
      periods { index activeCustomers retention salesAmount { formatted } }
    }
  }
}`,
    variables: rangeOf('LAST_12_MONTHS'),
  },
  {
    title: 'The numbers of this month',
    query: `# Visitors, leads, sales and commissions since the first of the month.
# view: table
query ThisMonth($range: AnalyticsRange!, $timeZone: String) {
  analytics(range: $range, timeZone: $timeZone) {
    totals {
      visitors
      leads
      conversions
      conversionRate
      sales
      salesAmount { formatted }
      averageSale { formatted }
      refunds
      refundAmount { formatted }
      commissionAccrued { formatted }
      commissionDue { formatted }
      commissionPaid { formatted }
      earningsPerClick { formatted }
    }
  }
}`,
    variables: rangeOf('THIS_MONTH'),
  },
  {
    title: 'Newest sales',
    query: `# The last fifty sales, and what came of each.
# view: table
query NewestSales {
  sales(first: 50, orderBy: [{ field: OCCURRED_AT, direction: DESC }]) {
    nodes {
      occurredAt
      amountCents
      refundedCents
      currency
      outcome
      attributedBy
      affiliate { email }
      campaign { name }
      externalId
    }
  }
}`,
    variables: () => ({}),
  },
  {
    title: 'Affiliates without a sale',
    query: `# Active affiliates who have sold nothing yet, those who joined first at the top.
# view: table
query AffiliatesWithoutASale {
  affiliates(
    first: 100
    where: { state: { equals: ACTIVE }, sales: { none: {} } }
    orderBy: [{ field: CREATED_AT, direction: ASC }]
  ) {
    totalCount
    nodes {
      email
      firstName
      lastName
      visitors
      leads
      createdAt
      campaign { name }
    }
  }
}`,
    variables: () => ({}),
  },
  {
    title: 'Payouts to be paid',
    query: `# Open payouts, the largest first.
# view: table
query PayoutsToBePaid {
  payouts(first: 100, where: { state: { equals: PENDING } }, orderBy: [{ field: AMOUNT, direction: DESC }]) {
    totalCount
    nodes {
      amountCents
      currency
      affiliate { email walletAEmail walletBEmail }
      createdAt
    }
  }
}`,
    variables: () => ({}),
  },
]
