import { bought, clockGraceMinutes, existing, type Signal } from './signal.ts'

/** The customer's address, known from a lead or an earlier sale. */
export const email: Signal = {
  signal: 'email',
  field: 'email',
  lookups: {
    email: {
      types: ['text', 'timestamptz'],
      values: ({ emailKey, occurredAt }) => [emailKey, occurredAt.toISOString()],
      part: ([emailKey = '', occurredAt = ''], hasAffiliate) => ({
        tables: [customer(emailKey, `${occurredAt} + interval '${clockGraceMinutes} minutes'`)],
        found: {
          customer: '(select to_json(customer) from customer)',
          bought: bought('(select id from customer)'),
          hasLeads: 'exists (select from theirs where was_lead_at is not null)',
          hasActiveLeads: 'exists (select from theirs where was_lead_at is not null and is_active)',
        },
        chosen: {
          ofCustomer: choose('is_active', occurredAt, past),
          ...(hasAffiliate && {
            ofAffiliate: choose('affiliate_id = (select id from named_affiliate)', occurredAt, present),
          }),
        },
      }),
    },
  },
  lookupFor: ({ emailKey }) => (emailKey === null ? null : 'email'),
  match(_sale, { ofCustomer, hasLeads, hasActiveLeads }) {
    if (ofCustomer) return existing(ofCustomer)
    if (!hasLeads) return 'not_found'
    return hasActiveLeads ? 'expired' : 'affiliate_not_active'
  },
}

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
