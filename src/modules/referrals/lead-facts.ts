import { statement } from '../../database/client/sql.ts'
import type { Affiliate, Campaign, Referral } from '../../generated/prisma/client.ts'
import type { Sql } from '../../kernel/db.ts'
import { emailKey } from '../../kernel/email.ts'
import { idSpellings } from '../../kernel/imported-ids.ts'
import { termsRequiredFrom } from '../applications/required-terms.ts'
import type { ProgressingReferral } from './progress.ts'
import type { AffiliateAddresses } from './self-referral.ts'

/** What decides about a lead: the referral, its affiliate's state, and the customer, if known. */
export type LeadFacts = ProgressingReferral &
  Pick<Referral, 'expiresAt'> & {
    affiliateState: Affiliate['state']
    knownCustomerId: string | null
    knownCustomerName: string | null
    /** What decides about a reward. */
    campaignId: string
    rulesVersion: number
    daysBeforeCommissionsAreDue: number
    selfReferrals: Campaign['selfReferrals']
    addresses: AffiliateAddresses
    /** When they had to have accepted terms that they have not accepted. Null without such terms. */
    termsRequiredFrom: Date | null
    /** The times are ISO 8601. */
    memberships: { groupId: string; fromAt: string; untilAt: string | null }[] | null
  }

/** The id of the referral that a client names: by its own id, else by its imported id. */
export const namedReferralSql = (programId: string, ownId: string, importedIds: string) => `coalesce(
    (select id from referrals where program_id = ${programId} and id = ${ownId}),
    (select id from imported_records where program_id = ${programId} and kind = 'referral' and external_id in (${importedIds})
      and id is not null limit 1))`

const leadFacts = statement<LeadFacts>(`
  select r.program_id as "programId", r.id, r.affiliate_id as "affiliateId", r.link_id as "linkId", r.coupon_id as "couponId",
    r.customer_id as "customerId", r.billing_customer_id as "billingCustomerId", r.became_lead_at as "becameLeadAt",
    r.became_conversion_at as "becameConversionAt", r.expires_at as "expiresAt", a.state as "affiliateState",
    c.id as "knownCustomerId", c.name as "knownCustomerName", r.campaign_id as "campaignId",
    k.rules_version as "rulesVersion", k.days_before_commissions_are_due as "daysBeforeCommissionsAreDue",
    k.self_referrals as "selfReferrals",
    json_build_object('email', a.email, 'paypalEmail', a.paypal_email, 'wiseEmail', a.wise_email) as addresses,
    ${termsRequiredFrom('a')} as "termsRequiredFrom",
    case when k.rules_version > 0 then (
      select json_agg(json_build_object('groupId', m.group_id, 'fromAt', m.from_at, 'untilAt', m.until_at))
      from affiliate_group_memberships m where m.program_id = a.program_id and m.affiliate_id = a.id) end as memberships
  from referrals r
    join campaigns k on k.program_id = r.program_id and k.id = r.campaign_id
    join affiliates a on a.program_id = r.program_id and a.id = r.affiliate_id
    left join customers c on c.program_id = r.program_id and c.email_key = $5::text
  where r.program_id = $1::uuid and r.id = ${namedReferralSql('$1::uuid', '$2::uuid', '$3::text, $4::text')}`)

/** Null without such a referral. */
export async function readLeadFacts(
  sql: Sql,
  programId: string,
  { referralId, email }: { referralId: string; email: string },
): Promise<LeadFacts | null> {
  const { ownId, given, inOwnCase } = idSpellings(referralId)
  const [facts] = await sql.query(leadFacts, [programId, ownId, given, inOwnCase, emailKey(email)])
  return facts ?? null
}
