import { formatNumber } from '../../parts/locale.ts'

const change = { style: 'percent', maximumFractionDigits: 0, signDisplay: 'exceptZero' } as const

export const home = {
  needs: {
    title: 'Needs attention',
    nothing: 'Nothing needs your attention.',
  },
  doctor: {
    title: 'Problems in the data',
    button: 'Check now',
    none: 'The data has not been checked yet. The service checks it every day.',
    running: 'Checking the data …',
    clean: (at: string) => `All records agree with each other. Checked on ${at}.`,
    asOf: (at: string) => `Checked on ${at}.`,
    unchecked: 'A part of the check took too long. An operator of the service can run it: tributary doctor.',
    findings: (count: number) => `${count === 1 ? 'problem' : 'problems'} in the data`,
    findingsLead:
      'Records that contradict each other. Report this to the developers of Tributary: it should never happen.',
  },
  figures: {
    title: 'Performance',
    range: 'Range',
    currency: 'Currency',
    metric: 'Metric',
    last7Days: 'Last 7 days',
    last30Days: 'Last 30 days',
    last90Days: 'Last 90 days',
    last12Months: 'Last 12 months',
    before: 'The period before',
    noneBefore: 'Nothing before',
    change: (share: number) => formatNumber(share, change),
    changeMeaning: 'compared with the period before',
    none: 'Nothing in this period',
    noneText: 'Choose a longer range, or another number.',
    metrics: { revenue: 'Revenue', commissions: 'Commissions', conversions: 'Conversions', visitors: 'Visitors' },
    top: 'Top affiliates',
    topLead: (range: string) => `By revenue, ${range.toLowerCase()}`,
    noTop: 'No sales in this period',
    noTopText: 'Affiliates are ranked here as soon as they bring sales.',
  },
  owed: {
    title: 'Owed to affiliates, in all currencies',
    lead: 'Amounts after ≈ are converted by the rates below. They are for reading only: nothing is paid by them.',
    owed: 'Owed',
    converted: (currency: string) => `In ${currency.toUpperCase()}`,
    by: 'Rate',
    rate: (from: string, rate: string, to: string, day: string, source: string) =>
      `1 ${from.toUpperCase()} = ${rate} ${to.toUpperCase()} on ${day} (${source})`,
    sources: { ECB: 'European Central Bank', ENTERED: 'entered' },
    same: 'not converted',
    noRate: 'no rate: import one with “tributary rates import”',
    without: (currencies: string) => `without ${currencies}, which has no rate`,
  },
} as const
