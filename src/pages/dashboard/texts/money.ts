import { formatCount } from '../../parts/format.tsx'
import { formatNumber } from '../../parts/locale.ts'
import type { Words } from './words.ts'

// The texts that payouts, commissions and sales share.
export const money = {
  affiliate: 'Affiliate',
  amount: 'Amount',
  campaign: 'Campaign',
  currency: 'Currency',
  state: 'State',
  from: 'From',
  to: 'To',
  searchAffiliate: "Affiliate's name or e-mail",
  yes: 'Yes',
  none: 'None',
  id: 'Id',
  noId: 'No id',
  unknown: 'Nothing has this address',
  unknownText: 'It may belong to another program.',
  notAmount: (currency: string, example: string) => `Enter an amount in ${currency}, such as ${example}.`,
  ambiguousAmount: (currency: string, example: string) =>
    `This can be two amounts. Enter it with all decimals of ${currency}, such as ${example}.`,
  notDay: 'Choose a day.',

  history: 'History',
  noHistory: 'No change was recorded.',
  earlier: (count: number) => formatCount(count, 'earlier change'),
  empty: 'empty',
  byKey: (name: string) => `API key ${name}`,
  actors: {
    PERSON: 'A person',
    API_KEY: 'An API key',
    OPERATOR: 'The operator',
    AFFILIATE: 'An affiliate',
    SYSTEM: 'The service',
  },
  why: {
    title: 'Why',
    base: 'Counted amount',
    baseHint: 'The sale, less the refunds before the commission was paid.',
    rule: 'Rule',
    percent: (percent: number) => `${formatNumber(percent)} percent of the sale`,
    fixed: (amount: string) => `${amount} for each sale`,
    result: 'By the rule',
    rounded: (exact: string) => `${exact} minor units, rounded half up`,
    limit: 'Commissions before',
    ofLimit: (count: number, limit: number | null) =>
      limit === null
        ? `${formatNumber(count)}, without a limit`
        : `${formatNumber(count)} of at most ${formatNumber(limit)}`,
    window: 'Earning period',
    noWindow: 'No end',
    months: (months: number) => `${formatCount(months, 'month')} from the first commission`,
    until: 'Until',
    dueAfter: 'Due after',
    days: (days: number) => (days === 0 ? 'At once' : formatCount(days, 'day')),
    selfReferrals: 'Self-referrals',
    policies: { ALLOW: 'Allowed', HOLD: 'Held for review', REJECT: 'Rejected' } as Words,
    tried: 'Signals',
    noRule: 'This sale was recorded before decisions were stored.',
  },
  signals: {
    REFERRAL_ID: 'Referral id',
    COUPON: 'Coupon',
    AGENT: 'An agent',
    EMAIL: "Customer's e-mail",
    MANUAL: 'A person',
  },
  signalOutcomes: {
    MATCHED: 'matched',
    NOT_USABLE: 'not usable',
    NOT_FOUND: 'not found',
    NOT_GIVEN: 'not in the report',
    NOT_TRIED: 'not tried',
    EXPIRED: 'led to an expired referral',
    AFFILIATE_NOT_ACTIVE: 'led to an affiliate who is not active',
    ARCHIVED: 'led to something archived',
  },
} as const
