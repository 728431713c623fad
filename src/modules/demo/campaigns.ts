import type { Campaign, Program } from '../../generated/prisma/client.ts'
import { newCampaign } from '../../resources/campaigns.ts'
import { publishableKeyPrefix } from '../programs/publishable-key.ts'
import { minutesAfter } from './calendar.ts'
import { madeAt } from './rows.ts'
import type { World } from './world.ts'

export type Habits = {
  /** The number of affiliates out of 100 that are in this campaign. */
  share: number
  visitsPerDay: number
  leadRate: number
  conversionRate: number
  /** The number of first sales by coupon per day, for an average affiliate with a coupon. */
  couponSalesPerDay: number
  plans: Plan[]
}

/** What a customer buys, and how often. `loyalty` is the probability that another sale follows. */
export type Plan = { every: 'month' | 'quarter' | 'year' | 'now and then'; prices: number[]; loyalty: number }

const monthly: Plan = { every: 'month', prices: [1900, 2900, 2900, 4900, 4900, 9900, 19900], loyalty: 0.96 }
const yearly: Plan = { every: 'year', prices: [29000, 49000, 99000], loyalty: 0.8 }
const once: Plan = { every: 'now and then', prices: [900, 1500, 2500, 3999, 7999], loyalty: 0.55 }
const quarterly: Plan = { every: 'quarter', prices: [240000, 360000, 480000, 900000, 1450000], loyalty: 0.95 }

type Terms = Omit<Campaign, 'programId' | 'id' | 'url' | 'rulesVersion' | 'archivedAt' | 'createdAt' | 'updatedAt'>

const partners: Terms = {
  name: 'Partners',
  isDefault: true,
  rewardType: 'percent',
  commissionBasisPoints: 2000,
  commissionAmountCents: null,
  commissionCurrency: 'usd',
  ...newCampaign({ minimumPayoutCents: 5000n, maxCommissionPeriodInMonths: 12 }),
  minimumPayouts: {},
  selfReferrals: 'hold',
}

const creators: Terms = {
  ...partners,
  name: 'Creators',
  isDefault: false,
  commissionBasisPoints: 3000,
  minimumPayoutCents: 2500n,
  daysBeforeReferralsExpire: 30,
  maxCommissions: 3,
  maxCommissionPeriodInMonths: null,
}

const enterprise: Terms = {
  ...partners,
  name: 'Enterprise',
  private: true,
  isDefault: false,
  rewardType: 'amount',
  commissionBasisPoints: null,
  commissionAmountCents: 25000n,
  commissionCurrency: 'eur',
  minimumPayoutCents: 10000n,
  daysBeforeReferralsExpire: 90,
  daysBeforeCommissionsAreDue: 45,
  maxCommissionPeriodInMonths: null,
}

const offers: { terms: Terms; path: string; habits: Habits }[] = [
  {
    terms: partners,
    path: '',
    habits: {
      share: 60,
      visitsPerDay: 0.12,
      leadRate: 0.45,
      conversionRate: 0.6,
      couponSalesPerDay: 0.006,
      plans: [monthly, monthly, monthly, yearly, once],
    },
  },
  {
    terms: creators,
    path: 'creators',
    habits: {
      share: 31,
      visitsPerDay: 0.14,
      leadRate: 0.36,
      conversionRate: 0.5,
      couponSalesPerDay: 0.012,
      plans: [monthly, monthly, once],
    },
  },
  {
    terms: enterprise,
    path: 'enterprise?plan=annual',
    habits: {
      share: 9,
      visitsPerDay: 0.06,
      leadRate: 0.45,
      conversionRate: 0.4,
      couponSalesPerDay: 0.001,
      plans: [quarterly, quarterly, yearly],
    },
  },
]

export type Offer = { campaign: Campaign; habits: Habits }

export const demoSlug = 'northwind-analytics'
/** A reserved domain, so that a real program with the demo's slug is not taken for the demo. */
export const demoUrl = 'https://northwind.example'

export function addProgram({ programId, period, random, rows }: World): Program {
  const program = {
    id: programId,
    name: 'Northwind Analytics',
    url: demoUrl,
    currency: 'usd',
    locale: 'en-US',
    timeZone: 'UTC',
    linkParameters: 'fpr,via_id',
    agentProvider: null,
    isShadow: false,
    shadowEndedAt: null,
    closesMonthsAfterDays: null,
    readingCurrency: null,
    slug: demoSlug,
    publishableKey: publishableKeyPrefix + random.code(32),
    previousPublishableKey: null,
    previousPublishableKeyEndsAt: null,
    isSandbox: false,
    defaultPayoutMethod: 'paypal' as const,
    payoutApprovalAboveCents: null,
    payoutHoldHours: 24,
    payoutFeeBearer: 'company' as const,
    leaderboardShows: 'nothing' as const,
    debtorName: null,
    debtorIban: null,
    debtorBic: null,
    hasPayoutFileMark: false,
    payoutFileDecimalMark: 'point' as const,
    clockAdvancedByDays: 0,
    closedAt: null,
    deletedAt: null,
    base: null,
    ...madeAt(period.start),
  }
  rows.programs.push(program)
  return program
}

export function addCampaigns({ programId, period, random, rows }: World): Offer[] {
  return offers.map(({ terms, path, habits }, index) => {
    const at = minutesAfter(period.start, index * 4)
    const url = `${demoUrl}/${path}`
    const campaign = { programId, id: random.id(at), url, ...terms, rulesVersion: 0, archivedAt: null, ...madeAt(at) }
    rows.campaigns.push(campaign)
    return { campaign, habits }
  })
}
