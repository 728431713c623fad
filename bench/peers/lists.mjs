// The lists of fastify-pg.mjs: what they select, and how a row becomes the contract's resource.

const affiliateColumns = `a.id, a.created_at, a.updated_at, a.first_name, a.last_name, a.email, a.paypal_email,
  a.wise_email, a.state, a.billing_customer_id, a.confirmed_at, a.visitors, a.leads, a.conversions,
  c.id as c_id, c.created_at as c_created_at, c.updated_at as c_updated_at, c.name as c_name, c.url as c_url,
  c.private, c.reward_type, c.commission_basis_points, c.commission_amount_cents, c.commission_currency,
  c.minimum_payout_cents, c.days_before_referrals_expire, c.days_before_commissions_are_due, c.max_commissions,
  c.max_commission_period_in_months, k.id as k_id, k.token as k_token,
  (select json_agg(json_build_array(l.id, l.token, l.visitors, l.leads, l.conversions) order by l.id desc)
    from affiliate_links l where l.program_id = a.program_id and l.affiliate_id = a.id) as links`
const affiliateJoins = `join campaigns c on c.program_id = a.program_id and c.id = a.campaign_id
  left join affiliate_coupons k on k.program_id = a.program_id and k.affiliate_id = a.id`

export const findAffiliate = {
  name: 'affiliate',
  text: `select ${affiliateColumns} from affiliates a ${affiliateJoins} where a.program_id = $1 and a.id = $2`,
}

const cents = (text) => (text === null ? null : Number(text))

export const affiliate = (row) => ({
  id: row.id,
  object: 'affiliate',
  created_at: row.created_at,
  updated_at: row.updated_at,
  first_name: row.first_name,
  last_name: row.last_name,
  email: row.email,
  wallet_a_email: row.paypal_email,
  wallet_b_email: row.wise_email,
  state: row.state,
  billing_customer_id: row.billing_customer_id,
  confirmed_at: row.confirmed_at,
  visitors: row.visitors,
  leads: row.leads,
  conversions: row.conversions,
  campaign: {
    id: row.c_id,
    object: 'campaign',
    created_at: row.c_created_at,
    updated_at: row.c_updated_at,
    name: row.c_name,
    url: row.c_url,
    private: row.private,
    reward_type: row.reward_type,
    commission_percent: row.commission_basis_points === null ? null : row.commission_basis_points / 100,
    commission_amount_cents: cents(row.commission_amount_cents),
    commission_currency: row.commission_currency,
    minimum_payout_cents: cents(row.minimum_payout_cents),
    days_before_referrals_expire: row.days_before_referrals_expire,
    days_before_commissions_are_due: row.days_before_commissions_are_due,
    max_commissions: row.max_commissions,
    max_commission_period_in_months: row.max_commission_period_in_months,
  },
  links: (row.links ?? []).map(([id, token, visitors, leads, conversions]) => ({
    id,
    object: 'affiliate_link',
    url: `${row.c_url}?via=${token}`,
    token,
    visitors,
    leads,
    conversions,
    affiliate_id: row.id,
  })),
  coupon: row.k_id && { id: row.k_id, object: 'affiliate_coupon', token: row.k_token, affiliate_id: row.id },
})

const commission = (row) => ({
  id: row.id,
  object: 'commission',
  currency: row.currency,
  amount: cents(row.amount_cents),
  state: 'due',
  due_at: row.due_at,
  paid_at: row.paid_at,
  campaign_id: row.campaign_id,
  affiliate_id: row.affiliate_id,
})

const referral = (row) => ({
  id: row.id,
  object: 'referral',
  conversion_state: 'conversion',
  became_lead_at: row.became_lead_at,
  became_conversion_at: row.became_conversion_at,
  expires_at: row.expires_at,
  billing_customer_id: row.billing_customer_id,
  affiliate_id: row.affiliate_id,
  campaign_id: row.campaign_id,
})

/**
 * @param {string} table
 * @param {{ columns: string, from: string, where: string, resource: (row: any) => object }} list with the program as $1
 */
const list = (table, { columns, from, where, resource }) => ({
  path: `/v1/${table}`,
  page: {
    name: `${table} page`,
    text: `select ${columns} from ${from} where ${where} order by 1 desc limit $2 offset $3`,
  },
  count: {
    name: `${table} count`,
    text: `select count(*)::int as count from ${table} where ${where.replaceAll('a.', '')}`,
  },
  resource,
})

export const lists = [
  list('affiliates', {
    columns: affiliateColumns,
    from: `affiliates a ${affiliateJoins}`,
    where: 'a.program_id = $1',
    resource: affiliate,
  }),
  list('commissions', {
    columns: 'id, currency, amount_cents, due_at, paid_at, campaign_id, affiliate_id',
    from: 'commissions',
    where: `program_id = $1 and voided_at is null and paid_at is null and held_reason is null and due_at <= now()`,
    resource: commission,
  }),
  list('referrals', {
    columns: `id, became_lead_at, became_conversion_at, expires_at, billing_customer_id, affiliate_id, campaign_id`,
    from: 'referrals',
    where: 'program_id = $1 and became_conversion_at is not null',
    resource: referral,
  }),
]
