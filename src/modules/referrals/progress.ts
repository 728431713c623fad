import type { Write } from '../../database/client/write.ts'
import type { Affiliate, Campaign, Referral } from '../../generated/prisma/client.ts'
import { addDays } from '../../kernel/dates.ts'
import { mintId } from '../../kernel/ids.ts'
import { referrals } from '../../resources/referrals.ts'
import { eventsOf, type NewEvent } from '../events/record.ts'
import type { ConversionState } from './input.ts'

/** The state of a referral. It is derived from the timestamps and not stored. */
export const conversionState = (referral: Pick<Referral, 'becameLeadAt' | 'becameConversionAt'>): ConversionState =>
  referrals.states.of(referral)

/** The events of a referral that reaches a state, or is created in it, with the states that it skips. */
export function eventsOfProgress(
  referral: Pick<Referral, 'id' | 'becameLeadAt' | 'becameConversionAt'>,
  to: ConversionState,
  isNew = false,
): NewEvent[] {
  const states = ['visitor', 'lead', 'conversion'] as const
  const reached = isNew ? 0 : states.indexOf(conversionState(referral)) + 1
  const types = ['referral.created', 'referral.lead', 'referral.converted'] as const
  return eventsOf(referral.id, types.slice(reached, states.indexOf(to) + 1))
}

type Progress = Pick<Referral, 'customerId' | 'billingCustomerId' | 'becameLeadAt' | 'becameConversionAt'>
/** A referral, and the fields that a lead or a sale can change. */
export type ProgressingReferral = Progress & Pick<Referral, 'programId' | 'id' | 'affiliateId' | 'linkId' | 'couponId'>

/** A new referral of the affiliate. With `soldAt`, it starts as a conversion (and a lead). */
export function newReferral(
  affiliate: Pick<Affiliate, 'programId' | 'id'>,
  campaign: Pick<Campaign, 'id' | 'daysBeforeReferralsExpire'>,
  {
    linkId = null,
    couponId = null,
    customerId = null,
    billingCustomerId = null,
    soldAt = null,
    sub = null,
    agentProvider = null,
  }: Origin,
  now: Date,
): Referral {
  return {
    programId: affiliate.programId,
    id: mintId(now),
    affiliateId: affiliate.id,
    campaignId: campaign.id,
    linkId,
    couponId,
    customerId,
    billingCustomerId,
    becameLeadAt: soldAt,
    becameConversionAt: soldAt,
    expiresAt: addDays(now, campaign.daysBeforeReferralsExpire),
    sub,
    agentProvider,
    endedAt: null,
    isCounted: true,
    createdAt: now,
    updatedAt: now,
  }
}

type Origin = {
  linkId?: string | null
  couponId?: string | null
  customerId?: string | null
  billingCustomerId?: string | null
  soldAt?: Date | null
  sub?: string | null | undefined
  agentProvider?: string | null
}

/** A referral after it became a lead or conversion. Reached states and known customers stay. */
export function progressed(
  referral: Progress,
  to: 'lead' | 'conversion',
  facts: { at: Date; customerId?: string | null | undefined; billingCustomerId?: string | null | undefined },
): Progress {
  const becomesConversion = to === 'conversion' && referral.becameConversionAt === null
  return {
    customerId: referral.customerId ?? facts.customerId ?? null,
    billingCustomerId: referral.billingCustomerId ?? facts.billingCustomerId ?? null,
    becameLeadAt: conversionState(referral) === 'visitor' ? facts.at : referral.becameLeadAt,
    becameConversionAt: becomesConversion ? facts.at : referral.becameConversionAt,
  }
}

export const insertsOf = (referral: Referral): Write[] => [
  {
    name: 'new_referrals',
    sql: `insert into referrals select * from jsonb_populate_recordset(null::referrals, $1::jsonb -> 'new_referrals')`,
    rows: [referral],
  },
  ...countsOf(referral, {
    visitors: 1,
    leads: referral.becameLeadAt ? 1 : 0,
    conversions: referral.becameConversionAt ? 1 : 0,
  }),
]

/** The writes that turn a locked referral into what it has become, and count it. None if nothing changed. */
export function updatesOf(before: ProgressingReferral, after: Progress, now: Date): Write[] {
  const fields = ['customerId', 'billingCustomerId', 'becameLeadAt', 'becameConversionAt'] as const
  if (fields.every((field) => before[field] === after[field])) return []
  const { programId, id } = before
  return [
    {
      name: 'referrals',
      sql: `update referrals r set customer_id = n.customer_id, billing_customer_id = n.billing_customer_id,
          became_lead_at = n.became_lead_at, became_conversion_at = n.became_conversion_at, updated_at = n.updated_at
        from jsonb_populate_recordset(null::referrals, $1::jsonb -> 'referrals') n
        where r.program_id = n.program_id and r.id = n.id`,
      rows: [{ programId, id, ...after, updatedAt: now }],
    },
    ...countsOf(before, {
      visitors: 0,
      leads: before.becameLeadAt === after.becameLeadAt ? 0 : 1,
      conversions: before.becameConversionAt === after.becameConversionAt ? 0 : 1,
    }),
  ]
}

type Counts = { visitors: number; leads: number; conversions: number }

/** The writes that add to the counters of the referral's affiliate, and then of its link or coupon if it has one. */
function countsOf({ programId, affiliateId, linkId, couponId }: ProgressingReferral, counts: Counts): Write[] {
  if (Object.values(counts).every((count) => count === 0)) return []
  const add = (table: string) => `update ${table} t set visitors = t.visitors + n.visitors, leads = t.leads + n.leads,
      conversions = t.conversions + n.conversions
    from jsonb_populate_recordset(null::${table}, $1::jsonb -> '${table}') n
    where t.program_id = n.program_id and t.id = n.id`
  // The rows are locked in the same order everywhere: the affiliate before its link or coupon.
  const addAfterAffiliate = (name: string, id: string | null): Write => ({
    name,
    sql: `${add(name)} and (select count(*) from written_affiliates) >= 0`,
    rows: id === null ? [] : [{ programId, id, ...counts }],
  })
  return [
    { name: 'affiliates', sql: add('affiliates'), rows: [{ programId, id: affiliateId, ...counts }] },
    addAfterAffiliate('affiliate_links', linkId),
    addAfterAffiliate('affiliate_coupons', couponId),
  ]
}
