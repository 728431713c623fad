// A reported sale by referral id: the statements that Tributary runs, each prepared, in one transaction.
import { mintId } from './ids.mjs'
import { withTransaction } from './transaction.mjs'

/** @param {string} name @param {string} text */
const prepared =
  (name, text) =>
  (/** @type {unknown[]} */ ...values) => ({ name, text, values })

const lockExternalId = prepared('lock-external-id', 'select pg_advisory_xact_lock(hashtextextended($1, 0))')
const findSale = prepared('find-sale', 'select id from sales where program_id = $1 and external_id = $2')
const findReferral = prepared(
  'find-referral',
  `select r.id, r.affiliate_id, r.campaign_id, r.link_id, r.customer_id, r.expires_at, a.state, a.email, u.email as customer_email,
     c.reward_type, c.commission_basis_points, c.commission_amount_cents, c.commission_currency,
     c.days_before_commissions_are_due, c.max_commissions, c.max_commission_period_in_months, c.self_referrals
   from referrals r join affiliates a on a.program_id = r.program_id and a.id = r.affiliate_id
     join campaigns c on c.program_id = r.program_id and c.id = r.campaign_id
     left join customers u on u.program_id = r.program_id and u.id = r.customer_id
   where r.program_id = $1 and r.id = $2`,
)
const lockReferral = prepared(
  'lock-referral',
  'select became_lead_at, became_conversion_at from referrals where program_id = $1 and id = $2 for update',
)
const deleteUnattributed = prepared(
  'delete-unattributed',
  'delete from unattributed_sales where program_id = $1 and external_id = $2',
)
const readHistory = prepared(
  'read-history',
  `select (count(*) filter (where voided_at is null))::int as commissions, min(occurred_at) as began
   from commissions where program_id = $1 and referral_id = $2 and refund_id is null`,
)
const insertSale = prepared(
  'insert-sale',
  `insert into sales (program_id, id, external_id, referral_id, affiliate_id, campaign_id, customer_id, amount_cents, currency,
     attributed_by, refunded_cents, decision, occurred_at, created_at, updated_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, 'referral_id', 0, $10, $11, $11, $11)`,
)
const convertReferral = prepared(
  'convert-referral',
  `update referrals set became_lead_at = coalesce(became_lead_at, $3), became_conversion_at = $3, updated_at = $3
   where program_id = $1 and id = $2`,
)
const countAffiliate = prepared(
  'count-affiliate',
  'update affiliates set leads = leads + $3, conversions = conversions + 1 where program_id = $1 and id = $2',
)
const countLink = prepared(
  'count-link',
  'update affiliate_links set leads = leads + $3, conversions = conversions + 1 where program_id = $1 and id = $2',
)
const insertCommission = prepared(
  'insert-commission',
  `insert into commissions (program_id, id, sale_id, referral_id, affiliate_id, campaign_id, currency, amount_cents,
     rule_reward_type, rule_basis_points, rule_days_before_due, rule_max_commissions, rule_max_period_in_months, occurred_at, due_at,
     created_at, updated_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $14, $14)`,
)
const insertEvent = prepared(
  'insert-event',
  `insert into money_events (program_id, id, commission_id, kind, delta_cents, currency, actor_kind, actor_id, request_id, at)
   values ($1, $2, $3, 'earned', $4, $5, 'api_key', $6, $7, $8)`,
)

/**
 * @param {import('pg').Pool} pool
 * @param {{ id: string, program_id: string, currency: string }} caller
 * @param {{ referral_id: string, amount_cents: number, external_id: string }} report
 * @param {string} requestId
 */
export const reportConversion = (pool, caller, report, requestId) =>
  withTransaction(pool, async (client) => {
    const { program_id: programId, currency } = caller
    const { external_id: externalId, amount_cents: amountCents } = report
    await client.query(lockExternalId(`${programId} ${externalId}`))
    const known = await client.query(findSale(programId, externalId))
    if (known.rows[0]) return { object: 'conversion', duplicate: true, sale_id: known.rows[0].id }
    const { rows } = await client.query(findReferral(programId, report.referral_id))
    const referral = rows[0]
    const now = new Date()
    if (referral?.state !== 'active') return null
    const locked = await client.query(lockReferral(programId, referral.id))
    const state = locked.rows[0]
    if (!state.became_conversion_at && referral.expires_at <= now) return null
    await client.query(deleteUnattributed(programId, externalId))
    const history = (await client.query(readHistory(programId, referral.id))).rows[0]
    const saleId = mintId(now)
    const commissionId = mintId(now)
    const owners = [referral.id, referral.affiliate_id, referral.campaign_id]
    const decision = JSON.stringify(decisionOf(referral, history))
    await client.query(
      insertSale(programId, saleId, externalId, ...owners, referral.customer_id, amountCents, currency, decision, now),
    )
    if (!state.became_conversion_at) {
      const leads = state.became_lead_at ? 0 : 1
      await client.query(convertReferral(programId, referral.id, now))
      await client.query(countAffiliate(programId, referral.affiliate_id, leads))
      if (referral.link_id) await client.query(countLink(programId, referral.link_id, leads))
    }
    const amount = Math.round((amountCents * referral.commission_basis_points) / 10_000)
    const dueAt = new Date(now.getTime() + referral.days_before_commissions_are_due * 86_400_000)
    const rule = [
      referral.reward_type,
      referral.commission_basis_points,
      referral.days_before_commissions_are_due,
      referral.max_commissions,
      referral.max_commission_period_in_months,
    ]
    await client.query(
      insertCommission(programId, commissionId, saleId, ...owners, currency, amount, ...rule, now, dueAt),
    )
    await client.query(insertEvent(programId, mintId(now), commissionId, amount, currency, caller.id, requestId, now))
    const commission = {
      id: commissionId,
      object: 'commission',
      currency,
      amount,
      state: 'pending',
      due_at: dueAt,
      paid_at: null,
      campaign_id: referral.campaign_id,
      affiliate_id: referral.affiliate_id,
    }
    return { object: 'conversion', duplicate: false, sale_id: saleId, commission }
  })

const decisionOf = (campaign, history) => ({
  signals: [
    { signal: 'referral_id', outcome: 'matched' },
    { signal: 'coupon', outcome: 'not_tried' },
    { signal: 'email', outcome: 'not_tried' },
  ],
  rule: {
    rewardType: campaign.reward_type,
    basisPoints: campaign.commission_basis_points,
    amountCents: campaign.commission_amount_cents,
    currency: campaign.commission_currency,
    daysBeforeDue: campaign.days_before_commissions_are_due,
    maxCommissions: campaign.max_commissions,
    maxPeriodInMonths: campaign.max_commission_period_in_months,
    selfReferrals: campaign.self_referrals,
  },
  counted: { commissions: history.commissions, periodBeganAt: history.began, periodEndsAt: null },
  selfReferral: null,
})
