import { statement } from '../../../database/client/sql.ts'
import type { Statement } from '../../../kernel/db.ts'
import { termsRequiredFrom } from '../../applications/required-terms.ts'
import { namedReferralSql } from '../../referrals/lead-facts.ts'

/** A lead or a visit counts for a sale that occurred up to this long before it, because clocks differ. */
export const clockGraceMinutes = 10

/** Null where the sale does not give it. */
export type FactsQuery = {
  programId: string
  externalId: string | null
  referral: { ownId: string | null; given: string | null; inOwnCase: string | null }
  couponKeys: readonly string[]
  emailKey: string | null
  /** An affiliate that a person named. Default: the coupon's. */
  affiliateId: string | null
  occurredAt: Date
}

/** What a statement looks for. An `importedReferral` can be named by its id on the server that it came from. */
type Kind = 'referral' | 'importedReferral' | 'coupon' | 'coupons' | 'affiliate' | 'email'

/** The parameters of each kind. They follow the program and the external id. */
const parameters: Record<Kind, { types: string[]; values: (query: FactsQuery) => unknown[] }> = {
  referral: { types: ['uuid'], values: ({ referral }) => [referral.ownId] },
  importedReferral: {
    types: ['uuid', 'text', 'text'],
    values: ({ referral }) => [referral.ownId, referral.given, referral.inOwnCase],
  },
  coupon: { types: ['text'], values: ({ couponKeys }) => [couponKeys[0]] },
  coupons: {
    types: ['jsonb', 'timestamptz'],
    values: ({ couponKeys, occurredAt }) => [JSON.stringify(couponKeys), occurredAt.toISOString()],
  },
  affiliate: { types: ['uuid'], values: ({ affiliateId }) => [affiliateId] },
  email: { types: ['text', 'timestamptz'], values: ({ emailKey, occurredAt }) => [emailKey, occurredAt.toISOString()] },
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
  const { programId, externalId, referral, couponKeys, affiliateId, emailKey } = query
  const kinds: Kind[] = []
  if (referral.given !== null) kinds.push(searchesImported ? 'importedReferral' : 'referral')
  if (couponKeys.length > 0) kinds.push(couponKeys.length === 1 ? 'coupon' : 'coupons')
  if (affiliateId !== null) kinds.push('affiliate')
  if (emailKey !== null) kinds.push('email')
  const values = kinds.flatMap((kind) => parameters[kind].values(query))
  return { statement: statementOf(kinds), values: [programId, externalId, ...values] }
}

const knownSale = `json_build_object('id', s.id, 'amountCents', s.amount_cents::text, 'currency', s.currency)`

const statements = new Map<string, Statement<unknown>>()

function statementOf(kinds: readonly Kind[]): Statement<unknown> {
  const name = kinds.join()
  const known = statements.get(name) ?? statement(textOf(kinds))
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
  `json_build_object('id', ${a}.id, 'email', ${a}.email, 'walletAEmail', ${a}.wallet_a_email,
    'walletBEmail', ${a}.wallet_b_email, 'state', ${a}.state, 'campaignId', ${a}.campaign_id,
    'updatedAt', ${a}.updated_at, 'termsRequiredFrom', ${termsRequiredFrom(a)}, 'memberships', (
      select json_agg(json_build_object('groupId', m.group_id, 'fromAt', m.from_at, 'untilAt', m.until_at))
      from affiliate_group_memberships m where m.program_id = ${a}.program_id and m.affiliate_id = ${a}.id))`

/** When the customer bought first, by a sale or by an import of referrals, and the time of the last sale. */
const bought = (customerId: string, or = '') => `(
    select json_build_object('firstAt', least(min(s.occurred_at), (select min(became_conversion_at) from referrals
        where program_id = $1::uuid and customer_id = ${customerId})), 'lastAt', max(s.occurred_at))
    from sales s where s.program_id = $1::uuid and (s.customer_id = ${customerId} ${or}))`

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

/** The customer's first converted referral, else the newest lead that had not expired. Not one that had ended. */
const choose = (condition: string, occurredAt: string, [leadAt, convertedAt]: [string, string]) => `(
    select id from theirs
    where ${condition} and (ended_at is null or ended_at > ${occurredAt})
      and (${convertedAt} is not null or (${leadAt} is not null and expires_at > ${occurredAt}))
    order by ${convertedAt}, case when ${convertedAt} is not null then id end, id desc limit 1)`

/** The present campaign, for an affiliate who is known by another signal; and the campaign when the sale occurred. */
const present: [string, string] = ['became_lead_at', 'became_conversion_at']
const past: [string, string] = ['was_lead_at', 'was_converted_at']

/** The customer, and the customer's referrals (`theirs`), without what came after the sale. */
const customer = (emailKey: string, until: string) => `customer as (
    select id, email, name from customers where program_id = $1::uuid and email_key = ${emailKey}
  ), theirs as materialized (
    select r.id, r.affiliate_id, r.expires_at, r.ended_at, r.became_lead_at, r.became_conversion_at, a.state = 'active' as is_active,
      case when known.was_known and r.became_lead_at <= ${until} then r.became_lead_at end as was_lead_at,
      case when known.was_known and r.became_conversion_at <= ${until} then r.became_conversion_at end as was_converted_at
    from (
      select id, bool_or(was_known) as was_known from (
        select id, true as was_known from referrals where program_id = $1::uuid and customer_id = (select id from customer)
        union all
        select referral_id, occurred_at <= ${until} from sales where program_id = $1::uuid and customer_id = (select id from customer)
      ) connections group by id
    ) known
      join referrals r on r.program_id = $1::uuid and r.id = known.id
      join affiliates a on a.program_id = r.program_id and a.id = r.affiliate_id
  )`

const coupon = (key: string) => `coupon as (
    select id, affiliate_id, archived_at from affiliate_coupons where program_id = $1::uuid and token_key = ${key}
  )`

/** The first code that can bring the sale to an affiliate, else the first that exists. */
const firstCoupon = (keys: string, occurredAt: string) => `coupon as (
    select k.id, k.affiliate_id, k.archived_at
    from jsonb_array_elements_text(${keys}) with ordinality as given (key, number)
      join affiliate_coupons k on k.program_id = $1::uuid and k.token_key = given.key
      join affiliates a on a.program_id = k.program_id and a.id = k.affiliate_id
      join campaigns c on c.program_id = a.program_id and c.id = a.campaign_id
    order by a.state = 'active' and coalesce(least(k.archived_at, c.archived_at) > ${occurredAt}, true) desc, given.number
    limit 1
  )`

function textOf(kinds: readonly Kind[]): string {
  let count = 2
  const given: Partial<Record<Kind, string[]>> = {}
  for (const kind of kinds)
    given[kind] = parameters[kind].types.map((type) => {
      count += 1
      return `$${count}::${type}`
    })
  const [emailKey, occurredAt] = (given.email ?? []) as [string?, string?]
  const tables: string[] = []
  const chosen: Record<string, string> = {}
  const found: Record<string, string> = {
    sale: `coalesce(
      (select ${knownSale} from sales s where s.program_id = $1::uuid and s.external_id = $2::text),
      (select ${knownSale} from sale_aliases o join sales s on s.program_id = o.program_id and s.id = o.sale_id
        where o.program_id = $1::uuid and o.external_id = $2::text))`,
    hasWaitingRefunds:
      'exists (select from waiting_refunds where program_id = $1::uuid and sale_external_id = $2::text and problem is null)',
    kept: `(select json_build_object('occurredAt', case when decision -> 'feed' is null then occurred_at end)
      from unattributed_sales where program_id = $1::uuid and external_id = $2::text)`,
  }
  const isByCoupon = given.coupon !== undefined || given.coupons !== undefined
  if (given.coupon) tables.push(coupon(given.coupon[0] as string))
  if (given.coupons) tables.push(firstCoupon(...(given.coupons as [string, string])))
  if (isByCoupon) {
    found.coupon = `(select json_build_object('id', id, 'archivedAt', archived_at) from coupon)`
  }
  const affiliates = [...(given.affiliate ?? []), ...(isByCoupon ? ['(select affiliate_id from coupon)'] : [])]
  if (affiliates.length > 0) {
    tables.push(`named_affiliate as (
    select * from affiliates where program_id = $1::uuid and id = coalesce(${affiliates.join(', ')}))`)
    found.affiliate = `(select ${affiliate('a')} from named_affiliate a)`
    found.campaign = `(select ${campaign('c')} from named_affiliate a
        join campaigns c on c.program_id = a.program_id and c.id = a.campaign_id)`
  }
  if (emailKey && occurredAt) {
    tables.push(customer(emailKey, `${occurredAt} + interval '${clockGraceMinutes} minutes'`))
    found.customer = '(select to_json(customer) from customer)'
    found.bought = bought('(select id from customer)')
    found.hasLeads = 'exists (select from theirs where was_lead_at is not null)'
    found.hasActiveLeads = 'exists (select from theirs where was_lead_at is not null and is_active)'
    chosen.ofCustomer = choose('is_active', occurredAt, past)
    if (affiliates.length > 0)
      chosen.ofAffiliate = choose('affiliate_id = (select id from named_affiliate)', occurredAt, present)
  }
  if (given.referral) chosen.named = given.referral[0] as string
  if (given.importedReferral) {
    const [ownId, ...ids] = given.importedReferral
    chosen.named = namedReferralSql('$1::uuid', ownId as string, ids.join(', '))
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
