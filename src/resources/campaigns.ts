import type { Campaign } from '../generated/prisma/client.ts'
import { type Fields, type FieldsOf, hidden, type Resource } from './resource.ts'
import { field, same } from './superset.ts'

const shown = { contract: true, recorded: true } as const

export const campaigns = {
  object: 'campaign',
  fields: {
    programId: hidden,
    id: { kind: 'id', contract: true },
    createdAt: { kind: 'time', contract: true },
    updatedAt: { kind: 'time', contract: true },
    name: { kind: 'text', ...shown },
    url: { kind: 'text', ...shown },
    private: { kind: 'flag', ...shown },
    rewardType: { kind: 'word', ...shown },
    commissionBasisPoints: { kind: 'number', nullable: true, recorded: true },
    commissionPercent: { kind: 'number', nullable: true, computed: true, contract: true },
    commissionAmountCents: { kind: 'cents', nullable: true, ...shown },
    commissionCurrency: { kind: 'word', ...shown },
    minimumPayoutCents: { kind: 'cents', ...shown },
    daysBeforeReferralsExpire: { kind: 'number', ...shown },
    daysBeforeCommissionsAreDue: { kind: 'number', ...shown },
    maxCommissions: { kind: 'number', nullable: true, ...shown },
    maxCommissionPeriodInMonths: { kind: 'number', nullable: true, ...shown },
    selfReferrals: { kind: 'word', recorded: true },
    archivedAt: { kind: 'time', nullable: true, recorded: true },
    isDefault: { kind: 'flag' },
  } as const satisfies FieldsOf<Campaign> & Fields,
  superset: {
    commission_amount_currency: same('commission_currency'),
    days_until_commissions_are_due: same('days_before_commissions_are_due'),
    max_commission_period_months: same('max_commission_period_in_months'),
    minimum_payout_currency: field('commissionCurrency'),
    default: field('isDefault'),
    visitors: field('visitors'),
    leads: field('leads'),
    conversions: field('conversions'),
    affiliates: field('affiliateCount'),
  },
} as const satisfies Resource
