import { nextWeek } from './dates.ts'

export type ReadyQuery = {
  title: string
  /**
   * Starts with a comment that describes it and selects a view (see result/view.ts). GraphiQL names the tab after the
   * operation.
   */
  query: string
  /** Computed when the query is opened: dates are relative to now, days are in the time zone. */
  variables: (now: Date, timeZone: string) => Record<string, unknown>
}

const rangeVariables = (preset: string) => (_now: Date, timeZone: string) => ({ range: { preset }, timeZone })

/** The most common questions of analysts. */
export const readyQueries: ReadyQuery[] = [
  {
    title: 'Top ten affiliates this quarter',
    query: `# The ten affiliates with the highest sales this quarter.
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
    variables: rangeVariables('THIS_QUARTER'),
  },
  {
    title: 'Amounts owed, by currency',
    query: `# Unpaid commissions: the total, the part that is due, the part that is pending, and when it becomes due.
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
    variables: rangeVariables('TODAY'),
  },
  {
    title: 'Amounts owed, by age and affiliate',
    query: `# How long unpaid commissions have been due, and to whom, in the program's currency.
# view: table
query OwedByAge($range: AnalyticsRange!, $timeZone: String) {
  analytics(range: $range, timeZone: $timeZone) {
    aging(limit: 50) {
      affiliates {
        label
        owed { formatted }
        notDue { formatted }
        days0To30 { formatted }
        days31To60 { formatted }
        days61To90 { formatted }
        over90 { formatted }
      }
    }
  }
}`,
    variables: rangeVariables('TODAY'),
  },
  {
    title: 'Affiliates who rose and fell most last month',
    query: `# Sales of last month against the month before, the largest change first. Who fell to 0 is among them.
# view: table
query Movers($range: AnalyticsRange!, $timeZone: String) {
  analytics(range: $range, timeZone: $timeZone) {
    movers(by: SALES_AMOUNT, dimension: AFFILIATE, interval: MONTH) {
      label
      sales: money { formatted }
      before: comparisonMoney { formatted }
      change: changeMoney { formatted }
      changeRate
    }
  }
}`,
    variables: rangeVariables('LAST_MONTH'),
  },
  {
    title: 'Why sales have no affiliate',
    query: `# Sales of the last 90 days without an affiliate, by reason.
# view: table
query WithoutAffiliate($range: AnalyticsRange!, $timeZone: String) {
  analytics(range: $range, timeZone: $timeZone) {
    unattributedReasons { reason sales toDecide salesAmount { formatted } }
  }
}`,
    variables: rangeVariables('LAST_90_DAYS'),
  },
  {
    title: 'Funnel by campaign',
    query: `# Visitors, leads, conversions and sales of each campaign in the last 90 days.
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
    variables: rangeVariables('LAST_90_DAYS'),
  },
  {
    title: 'Revenue by campaign and month',
    query: `# Sales of the largest campaigns per month: a column for each, and one for the others.
# view: chart
query RevenueByCampaign($range: AnalyticsRange!, $timeZone: String) {
  analytics(range: $range, timeZone: $timeZone) {
    timeSeries(metric: SALES_AMOUNT, interval: MONTH, groupBy: CAMPAIGN, top: 8) {
      groups {
        label
        points { label sales: money { formatted } }
      }
    }
  }
}`,
    variables: rangeVariables('LAST_12_MONTHS'),
  },
  {
    title: 'Commissions due next week',
    query: `# Commissions that become due next week, from Monday to Sunday, earliest first.
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
      amount { formatted }
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
    query: `# The share of sales that were refunded, per month.
# view: chart
query RefundRateByMonth($range: AnalyticsRange!, $timeZone: String) {
  analytics(range: $range, timeZone: $timeZone) {
    timeSeries(metric: REFUND_RATE, interval: MONTH) {
      points { label refundRate: value }
    }
  }
}`,
    variables: rangeVariables('LAST_12_MONTHS'),
  },
  {
    title: 'Sales by day, compared to last year',
    query: `# Sales per day in the last 30 days, and on the same days one year earlier.
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
    variables: rangeVariables('LAST_30_DAYS'),
  },
  {
    title: 'New customers by cohort',
    query: `# Customers by the month of their first sale, and how many bought again in each following month.
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
    variables: rangeVariables('LAST_12_MONTHS'),
  },
  {
    title: 'Totals of this month',
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
    variables: rangeVariables('THIS_MONTH'),
  },
  {
    title: 'Newest sales',
    query: `# The last 50 sales, with the outcome of each.
# view: table
query NewestSales {
  sales(first: 50, orderBy: [{ field: OCCURRED_AT, direction: DESC }]) {
    nodes {
      occurredAt
      amount { formatted }
      refunded { formatted }
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
    query: `# Active affiliates without a sale, oldest first.
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
    title: 'Open payouts',
    query: `# Open payouts, largest first.
# view: table
query PayoutsToBePaid {
  payouts(first: 100, where: { state: { equals: PENDING } }, orderBy: [{ field: AMOUNT, direction: DESC }]) {
    totalCount
    nodes {
      amount { formatted }
      affiliate { email paypalEmail wiseEmail }
      createdAt
    }
  }
}`,
    variables: () => ({}),
  },
]
