// Each answer in one statement, which returns the contract's resources as JSON. $1 is the hash of the API key.

const caller = '(select program_id from api_keys where secret_hash = $1 and revoked_at is null)'

/** @param {string} column */
const time = (column) => `to_char(${column}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

const campaign = `json_build_object('id', c.id, 'object', 'campaign', 'created_at', ${time('c.created_at')},
  'updated_at', ${time('c.updated_at')}, 'name', c.name, 'url', c.url, 'private', c.private, 'reward_type', c.reward_type,
  'commission_percent', c.commission_basis_points / 100.0, 'commission_amount_cents', c.commission_amount_cents,
  'commission_currency', c.commission_currency, 'minimum_payout_cents', c.minimum_payout_cents,
  'days_before_referrals_expire', c.days_before_referrals_expire,
  'days_before_commissions_are_due', c.days_before_commissions_are_due, 'max_commissions', c.max_commissions,
  'max_commission_period_in_months', c.max_commission_period_in_months)`

const links = `(
  select coalesce(json_agg(json_build_object('id', l.id, 'object', 'affiliate_link', 'url', c.url || '?via=' || l.token,
    'token', l.token, 'visitors', l.visitors, 'leads', l.leads, 'conversions', l.conversions,
    'affiliate_id', l.affiliate_id) order by l.id desc), '[]')
  from affiliate_links l where l.program_id = a.program_id and l.affiliate_id = a.id)`

const coupon = `(
  select json_build_object('id', k.id, 'object', 'affiliate_coupon', 'token', k.token, 'affiliate_id', k.affiliate_id)
  from affiliate_coupons k where k.program_id = a.program_id and k.affiliate_id = a.id)`

const affiliate = `json_build_object('id', a.id, 'object', 'affiliate', 'created_at', ${time('a.created_at')},
  'updated_at', ${time('a.updated_at')}, 'first_name', a.first_name, 'last_name', a.last_name, 'email', a.email,
  'wallet_a_email', a.paypal_email, 'wallet_b_email', a.wise_email, 'state', a.state,
  'billing_customer_id', a.billing_customer_id, 'confirmed_at', ${time('a.confirmed_at')}, 'visitors', a.visitors,
  'leads', a.leads, 'conversions', a.conversions, 'campaign', ${campaign}, 'links', ${links}, 'coupon', ${coupon})`

const commission = `json_build_object('id', m.id, 'object', 'commission', 'currency', m.currency, 'amount', m.amount_cents,
  'state', 'due', 'due_at', ${time('m.due_at')}, 'paid_at', ${time('m.paid_at')}, 'campaign_id', m.campaign_id,
  'affiliate_id', m.affiliate_id)`

const referral = `json_build_object('id', r.id, 'object', 'referral', 'conversion_state', 'conversion',
  'became_lead_at', ${time('r.became_lead_at')}, 'became_conversion_at', ${time('r.became_conversion_at')},
  'expires_at', ${time('r.expires_at')}, 'billing_customer_id', r.billing_customer_id, 'affiliate_id', r.affiliate_id,
  'campaign_id', r.campaign_id)`

const isDue = 'm.voided_at is null and m.paid_at is null and m.held_reason is null and m.due_at <= now()'

/**
 * A page of rows as JSON text, and the number of all rows.
 *
 * @param {{ row: string, from: string, alias: string, where?: string, joins?: string }} list
 */
const page = ({ row, from, alias, where = 'true', joins = '' }) => `
  select (
    select coalesce(json_agg(row), '[]')::text from (
      select ${row} as row from (
        select * from ${from} ${alias} where ${alias}.program_id = ${caller} and ${where}
        order by ${alias}.id desc limit $2 offset $3
      ) ${alias} ${joins} order by ${alias}.id desc) rows
  ) as data, (select count(*)::int from ${from} ${alias} where ${alias}.program_id = ${caller} and ${where}) as count`

const withCampaign = 'join campaigns c on c.program_id = a.program_id and c.id = a.campaign_id'

const lists = {
  affiliates: { row: affiliate, from: 'affiliates', alias: 'a', joins: withCampaign },
  commissions: { row: commission, from: 'commissions', alias: 'm', where: isDue },
  referrals: { row: referral, from: 'referrals', alias: 'r', where: 'r.became_conversion_at is not null' },
}

export const statements = {
  affiliates: { name: 'affiliates', text: page(lists.affiliates) },
  commissions: { name: 'commissions', text: page(lists.commissions) },
  referrals: { name: 'referrals', text: page(lists.referrals) },
  affiliate: {
    name: 'affiliate',
    text: `select ${affiliate}::text as data from affiliates a ${withCampaign} where a.program_id = ${caller} and a.id = $2`,
  },
  program: {
    name: 'program',
    text: `select json_build_object('name', p.name)::text as data
      from api_keys k join programs p on p.id = k.program_id where k.secret_hash = $1 and k.revoked_at is null`,
  },
}
