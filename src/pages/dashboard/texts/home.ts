import { formatCount } from '../../parts/format.tsx'
import { formatNumber } from '../../parts/locale.ts'

const change = { style: 'percent', maximumFractionDigits: 0, signDisplay: 'exceptZero' } as const

export const home = {
  needs: {
    title: 'Needs attention',
    nothing: 'Nothing needs your attention.',
    payouts: (count: number) => `can be paid in ${formatCount(count, 'payout')}`,
    back: (count: number) => `${count === 1 ? 'payment' : 'payments'} failed or came back in the last 30 days`,
    unclaimed: (count: number) => `${count === 1 ? 'payment is' : 'payments are'} unclaimed at the service`,
    prepared: (count: number) => `payout ${count === 1 ? 'run waits' : 'runs wait'} for approval or payment`,
    sent: (count: number) => `payout ${count === 1 ? 'run waits' : 'runs wait'} for results`,
    feedEvents: (count: number) => `${count === 1 ? 'event of a billing system' : 'events of billing systems'} failed`,
    applications: (count: number) => `${count === 1 ? 'application waits' : 'applications wait'} for a decision`,
    proposals: (count: number) => `${count === 1 ? 'proposal waits' : 'proposals wait'} for confirmation`,
    held: (count: number) => `${count === 1 ? 'commission is' : 'commissions are'} held for review`,
    unattributed: (count: number) => `${count === 1 ? 'sale has' : 'sales have'} no affiliate`,
    feeds: (count: number) => `${count === 1 ? 'feed has' : 'feeds have'} a problem`,
    webhooks: (count: number) => `webhook ${count === 1 ? 'endpoint is' : 'endpoints are'} failing`,
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
} as const
