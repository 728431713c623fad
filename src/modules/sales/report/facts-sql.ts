import { statement } from '../../../database/client/sql.ts'
import type { Statement } from '../../../kernel/db.ts'
import { termsRequiredFrom } from '../../applications/required-terms.ts'
import { signals } from '../signals/all.ts'
import { bought, type FactsPart, type FactsQuery, type Lookup } from '../signals/signal.ts'

/** An affiliate that a person named. */
const namedAffiliate: Lookup = {
  types: ['uuid'],
  values: ({ affiliateId }) => [affiliateId],
  part: ([id]) => ({ affiliate: id as string }),
}

/**
 * Reads the facts of a sale, as the text of a JSON object. It looks only for what the sale names, because preparing to
 * look for more takes PostgreSQL longer than looking.
 * @param searchesImported whether to search a referral by its id on another server
 */
export function saleFacts(
  query: FactsQuery,
  searchesImported: boolean,
): { statement: Statement<unknown>; values: unknown[] } {
  const { programId, externalId, affiliateId } = query
  const looked = signals.flatMap(({ lookups, lookupFor }): [string, Lookup][] => {
    const name = lookupFor(query, searchesImported)
    return name === null ? [] : [[name, lookups[name] as Lookup]]
  })
  if (affiliateId !== null) looked.push(['affiliate', namedAffiliate])
  const values = looked.flatMap(([, lookup]) => lookup.values(query))
  return { statement: statementOf(looked), values: [programId, externalId, ...values] }
}

const knownSale = `json_build_object('id', s.id, 'amountCents', s.amount_cents::text, 'currency', s.currency)`

const statements = new Map<string, Statement<unknown>>()

function statementOf(looked: readonly [string, Lookup][]): Statement<unknown> {
  const name = looked.map(([one]) => one).join()
  const known = statements.get(name) ?? statement(textOf(looked.map(([, lookup]) => lookup)))
  statements.set(name, known)
  return known
}

const campaign = (
  c: string,
) => `json_build_object('programId', ${c}.program_id, 'id', ${c}.id, 'rewardType', ${c}.reward_type,
  'commissionBasisPoints', ${c}.commission_basis_points, 'commissionAmountCents', ${c}.commission_amount_cents::text,
  'commissionCurrency', ${c}.commission_currency, 'daysBeforeReferralsExpire', ${c}.days_before_referrals_expire,
  'daysBeforeCommissionsAreDue', ${c}.days_before_commissions_are_due, 'maxCommissions', ${c}.max_commissions,
  'maxCommissionPeriodInMonths', ${c}.max_commission_period_in_months, 'selfReferrals', ${c}.self_referrals,
  'archivedAt', ${c}.archived_at, 'updatedAt', ${c}.updated_at, 'rulesVersion', ${c}.rules_version)`

export const saleCampaign = statement<{ campaign: unknown }>(
  `select ${campaign('c')} as campaign from campaigns c where program_id = $1::uuid and id = $2::uuid`,
)

const affiliate = (a: string) =>
  `json_build_object('id', ${a}.id, 'email', ${a}.email, 'paypalEmail', ${a}.paypal_email,
    'wiseEmail', ${a}.wise_email, 'state', ${a}.state, 'campaignId', ${a}.campaign_id,
    'updatedAt', ${a}.updated_at, 'termsRequiredFrom', ${termsRequiredFrom(a)}, 'memberships', (
      select json_agg(json_build_object('groupId', m.group_id, 'fromAt', m.from_at, 'untilAt', m.until_at))
      from affiliate_group_memberships m where m.program_id = ${a}.program_id and m.affiliate_id = ${a}.id))`

/** A referral `r` with its affiliate `a`, its campaign `c`, and its customer `u`, if it has one. */
const referral = `json_build_object('programId', r.program_id, 'id', r.id, 'affiliateId', r.affiliate_id,
  'campaignId', r.campaign_id, 'linkId', r.link_id, 'couponId', r.coupon_id, 'customerId', r.customer_id,
  'billingCustomerId', r.billing_customer_id, 'becameLeadAt', r.became_lead_at,
  'becameConversionAt', r.became_conversion_at, 'expiresAt', r.expires_at, 'endedAt', r.ended_at, 'createdAt', r.created_at,
  'affiliate', ${affiliate('a')}, 'campaign', ${campaign('c')}, 'customerEmail', u.email, 'history', (
    select json_build_object('commissions', count(*) filter (where voided_at is null), 'voidedAt', max(voided_at),
      'firstOccurredAt', min(occurred_at) filter (where voided_at is null or amount_cents > 0))
    from commissions m where m.program_id = r.program_id and m.referral_id = r.id and m.refund_id is null),
  'bought', ${bought('r.customer_id', 'or s.referral_id = r.id')})`

function textOf(lookups: readonly Lookup[]): string {
  let count = 2
  const parameters = lookups.map(({ types }) =>
    types.map((type) => {
      count += 1
      return `$${count}::${type}`
    }),
  )
  const partsOf = (hasAffiliate: boolean) =>
    lookups.map((lookup, index): FactsPart => lookup.part(parameters[index] as string[], hasAffiliate))
  const affiliates = partsOf(false).flatMap((part) => part.affiliate ?? [])
  const parts = partsOf(affiliates.length > 0)
  const tables = parts.flatMap((part) => part.tables ?? [])
  const chosen: Record<string, string> = Object.assign({}, ...parts.map((part) => part.chosen))
  const found: Record<string, string> = {
    sale: `coalesce(
      (select ${knownSale} from sales s where s.program_id = $1::uuid and s.external_id = $2::text),
      (select ${knownSale} from sale_aliases o join sales s on s.program_id = o.program_id and s.id = o.sale_id
        where o.program_id = $1::uuid and o.external_id = $2::text))`,
    hasWaitingRefunds:
      'exists (select from waiting_refunds where program_id = $1::uuid and sale_external_id = $2::text and problem is null)',
    kept: `(select json_build_object('occurredAt', case when decision -> 'feed' is null then occurred_at end)
      from unattributed_sales where program_id = $1::uuid and external_id = $2::text)`,
    ...Object.assign({}, ...parts.map((part) => part.found)),
  }
  if (affiliates.length > 0) {
    // A person's choice comes before that of a coupon.
    const first = affiliates.toReversed().join(', ')
    tables.push(`named_affiliate as (
    select * from affiliates where program_id = $1::uuid and id = coalesce(${first}))`)
    found.affiliate = `(select ${affiliate('a')} from named_affiliate a)`
    found.campaign = `(select ${campaign('c')} from named_affiliate a
        join campaigns c on c.program_id = a.program_id and c.id = a.campaign_id)`
  }
  const names = Object.keys(chosen).map((name) => `"${name}"`)
  if (names.length > 0) {
    const columns = Object.entries(chosen).map(([name, sql]) => `${sql} as "${name}"`)
    tables.push(`chosen as materialized (select ${columns.join(', ')})`)
    for (const name of Object.keys(chosen)) found[name] = `"${name}"`
    found.referrals = `(
      select json_agg(${referral})
      from referrals r
        join affiliates a on a.program_id = r.program_id and a.id = r.affiliate_id
        join campaigns c on c.program_id = r.program_id and c.id = r.campaign_id
        left join customers u on u.program_id = r.program_id and u.id = r.customer_id
      where r.program_id = $1::uuid and r.id in (${names.join(', ')}))`
  }
  const fields = Object.entries(found).map(([name, sql]) => `'${name}', ${sql}`)
  return `${tables.length > 0 ? `with ${tables.join(', ')}` : ''}
  select json_build_object(${fields.join(', ')})::text ${names.length > 0 ? 'from chosen' : ''}`
}
