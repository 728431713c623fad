import type { Campaign } from '../generated/prisma/client.ts'
import { type Fields, type FieldsOf, type Given, hidden, newValues, type Resource } from './resource.ts'
import { field, object, same } from './superset.ts'

const shown = { contract: true, recorded: true } as const

const fields = {
  programId: hidden,
  id: { kind: 'id', contract: true },
  createdAt: { kind: 'time', contract: true },
  updatedAt: { kind: 'time', contract: true },
  name: { kind: 'text', ...shown },
  url: { kind: 'text', ...shown },
  private: { kind: 'flag', default: false, ...shown },
  rewardType: { kind: 'word', ...shown },
  commissionBasisPoints: { kind: 'number', nullable: true, recorded: true },
  commissionPercent: { kind: 'number', nullable: true, computed: true, contract: true },
  commissionAmountCents: { kind: 'cents', nullable: true, ...shown },
  commissionCurrency: { kind: 'word', ...shown },
  minimumPayoutCents: { kind: 'cents', default: 0n, ...shown },
  minimumPayouts: { kind: 'json', recorded: true },
  daysBeforeReferralsExpire: { kind: 'number', default: 60, ...shown },
  daysBeforeCommissionsAreDue: { kind: 'number', default: 30, ...shown },
  maxCommissions: { kind: 'number', nullable: true, default: null, ...shown },
  maxCommissionPeriodInMonths: { kind: 'number', nullable: true, default: null, ...shown },
  selfReferrals: { kind: 'word', recorded: true },
  archivedAt: { kind: 'time', nullable: true, recorded: true },
  isDefault: { kind: 'flag' },
  rulesVersion: { kind: 'number' },
} as const satisfies FieldsOf<Campaign> & Fields

export const campaigns = {
  object: 'campaign',
  fields,
  superset: {
    commission_amount_currency: same('commission_currency'),
    days_until_commissions_are_due: same('days_before_commissions_are_due'),
    max_commission_period_months: same('max_commission_period_in_months'),
    minimum_payout_currency: field('commissionCurrency'),
    minimum_payouts: object('CampaignMinimumPayout', 'minimumPayouts', {
      currency: field('currency'),
      amount_cents: field('amountCents'),
    }),
    default: field('isDefault'),
    visitors: field('visitors'),
    leads: field('leads'),
    conversions: field('conversions'),
    affiliates: field('affiliateCount'),
  },
} as const satisfies Resource

/** The fields of a campaign that requests and imports can give, apart from its reward. */
export type GivenToCampaign = Given<Campaign, typeof fields>

/** What a new campaign has of them. */
export const newCampaign = (given: Partial<GivenToCampaign>): GivenToCampaign => newValues(fields, given)
