import { type EventType, subjectOf } from '../events/types.ts'
import type { State } from './state.ts'

const day = 86_400_000

const id = (last: string) => `019b8d62-7a80-7a31-8c52-3f0b9d6e${last}`

/** A believable event of a type, with data of no program: an affiliate, her customer, a sale and its payout. */
export function exampleEvent(type: EventType, now: Date) {
  return {
    type,
    subject: subjectOf(type),
    state: exampleState(type, now),
    version: BigInt(now.getTime()),
    createdAt: now,
  }
}

function exampleState(type: EventType, now: Date): State {
  const daysAgo = (days: number) => new Date(now.getTime() - days * day).toISOString()
  const made = (days: number) => ({ created_at: daysAgo(days), updated_at: daysAgo(days) })
  const [subject, happened] = type.replace('tributary.', '').split('.')
  const isPaid = happened === 'paid' && (subject === 'commission' || subject === 'payout')
  const isVoid = subject === 'commission' && (happened === 'voided' || happened === 'deleted')
  const isRefunded = happened === 'refunded'
  const isVisitor = subject === 'referral' && ['created', 'deleted', 'expired'].includes(happened as string)
  const isLead = subject === 'referral' && happened === 'lead'
  const isArchived = happened === 'archived' || happened === 'deactivated'
  const archived = isArchived ? { archived_at: daysAgo(0) } : {}
  const affiliate = {
    id: id('1a01'),
    campaign_id: id('1a02'),
    email: 'ada@example.com',
    first_name: 'Ada',
    last_name: 'Lovelace',
  }
  const campaign = {
    id: id('1a02'),
    name: 'Partners',
    url: 'https://acme.test/pricing',
    private: false,
    is_default: true,
    reward_type: 'percent',
    commission_basis_points: 2_000,
    commission_currency: 'usd',
    minimum_payout_cents: 0,
    days_before_referrals_expire: 60,
    days_before_commissions_are_due: 30,
    ...made(90),
    ...(subject === 'campaign' && archived),
  }
  const commission = {
    id: id('1a08'),
    currency: 'usd',
    amount_cents: 980,
    campaign_id: id('1a02'),
    affiliate_id: id('1a01'),
    due_at: daysAgo(happened === 'due' || subject === 'payout' || isPaid ? 0 : -28),
    ...made(2),
    ...(isPaid && { paid_at: daysAgo(0) }),
    ...(isVoid && { voided_at: daysAgo(0) }),
    ...(happened === 'held' && { held_reason: 'self_referral_email' }),
  }
  const state: Record<string, unknown> = {
    affiliate: {
      ...affiliate,
      state: 'active',
      paypal_email: 'ada@wallet.test',
      confirmed_at: daysAgo(60),
      ...made(60),
      visitors: 12,
      leads: 3,
      conversions: 1,
      sign_in_count: 4,
      receive_new_commission_notifications: true,
    },
    affiliate_campaign: campaign,
    campaign,
    campaign_counts: { visitors: 12, leads: 3, conversions: 1, affiliates: 1 },
    referral: {
      id: id('1a05'),
      affiliate_id: id('1a01'),
      campaign_id: id('1a02'),
      link_id: id('1a03'),
      expires_at: daysAgo(happened === 'expired' ? 0 : -40),
      ...made(20),
      ...(!isVisitor && { became_lead_at: daysAgo(10), billing_customer_id: 'cus_123' }),
      ...(!isVisitor && !isLead && { became_conversion_at: daysAgo(2) }),
    },
    visits: 2,
    ...(!isVisitor && { customer: { id: id('1a06'), email: 'grace@example.com', name: 'Grace Hopper' } }),
    sale: {
      id: id('1a07'),
      currency: 'usd',
      amount_cents: 4_900,
      external_id: 'inv_1001',
      occurred_at: daysAgo(2),
      refunded_cents: isRefunded ? 4_900 : 0,
      ...made(2),
    },
    commission,
    commissions: [{ commission, campaign }],
    payout: {
      id: id('1a09'),
      currency: 'usd',
      amount_cents: 980,
      affiliate_id: id('1a01'),
      ...made(1),
      ...(isPaid && { paid_at: daysAgo(0) }),
      ...(happened === 'failed' && { failed_at: daysAgo(0) }),
    },
    api_key: {
      id: id('1a0a'),
      name: 'Billing',
      access: 'full',
      profile: 'contract',
      words: 'contract',
      last_four: 'x9Zk',
      created_at: daysAgo(30),
      ...(happened === 'revoked' && { revoked_at: daysAgo(0) }),
    },
    unattributed_sale: {
      id: id('1a0b'),
      email: 'nobody@example.com',
      amount_cents: 4_900,
      currency: 'usd',
      external_id: 'inv_1002',
      occurred_at: daysAgo(0),
      ...made(0),
    },
    webhook_endpoint: {
      id: id('1a0c'),
      url: 'https://acme.test/webhooks',
      event_types: [],
      format: 'standard',
      ...made(30),
      disabled_at: daysAgo(0),
      disabled_reason: 'failing',
      failing_since: daysAgo(3),
    },
    proposal: {
      id: id('1a0d'),
      kind: 'void',
      state: happened === 'decided' ? 'confirmed' : 'open',
      effect_text: 'Cancels 1 commission: 9.80 USD less is owed to affiliates.',
      effect_cents: -980,
      effect_currency: 'usd',
      reason: 'The customer was refunded.',
      expires_at: daysAgo(-14),
      ...(happened === 'decided' && { decided_at: daysAgo(0) }),
      ...made(0),
    },
  }
  const link = { id: id('1a03'), affiliate_id: id('1a01'), token: 'ada', visitors: 12, leads: 3, conversions: 1 }
  const coupon = { id: id('1a04'), affiliate_id: id('1a01'), token: 'ADA20', ...archived }
  if (subject === 'affiliate')
    return { ...state, links: [link], coupon, coupons: [{ ...coupon, leads: 1, conversions: 1 }] }
  if (subject === 'affiliate_coupon') return { ...state, coupon, coupon_leads: 1, coupon_conversions: 1 }
  return { ...state, link }
}
