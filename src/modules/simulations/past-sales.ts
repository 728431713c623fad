import { statement } from '../../database/client/sql.ts'
import type { AttributionSignal, BillingInterval } from '../../generated/prisma/enums.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import { giveWay } from '../../kernel/slices.ts'
import { nilId } from '../analytics/where.ts'
import type { Decision } from '../sales/report/decision.ts'
import type { PastSale } from './replay.ts'

/** A sale to replay, with what it actually earned. */
export type RecordedSale = PastSale & {
  id: string
  /** The keys of the codes that were reported; of sales from before they were recorded, that of the referral. */
  couponKeys: string[]
  /** The groups of the affiliate when the sale occurred. */
  groupIds: string[]
  billingInterval: BillingInterval | null
  paymentNumber: number | null
  referralId: string
  /** Sales with the same key are of one customer. */
  customerKey: string
  /** In order of time: when the customer converted first, perhaps by an import without a sale. Null: never. */
  convertedAt: Date | null
  affiliateId: string
  campaignId: string
  /** Null if it never earned a commission. */
  actualCurrency: string | null
  /** The sum of its commissions that are not void, including negative ones. */
  actualCents: bigint
  actualCommissions: number
  /** What the commission rule that applied to the sale says. Null: the campaign's own reward applied. */
  recordedRule: Decision['rule'] | null
}

/** The embedded database takes some 20 ms of this thread for so many: nothing else happens meanwhile. */
const batchSize = 200

/** A row as JSON from PostgreSQL: amounts are text, and times are epoch milliseconds. */
type Row = Omit<
  RecordedSale,
  'amountCents' | 'refundedCents' | 'actualCents' | 'occurredAt' | 'referredAt' | 'attributedBy' | 'convertedAt'
> & {
  amountCents: string
  refundedCents: string
  actualCents: string
  occurredAt: number
  referredAt: number
  convertedAt: number | null
  attributedBy: AttributionSignal
}

/** By referral and recording, or by the time at which they occurred. */
export type SaleOrder = 'referral' | 'time'

const orders = {
  referral: {
    columns: 'referral_id, id',
    ofSales: 's.referral_id, s.id',
    convertedAt: 'null',
    after: '(referral_id, id) > ($3::uuid, $4::uuid)',
    placeOf: ({ referralId, id }: Place) => [referralId, id],
  },
  time: {
    columns: 'occurred_at, id',
    ofSales: 's.occurred_at, s.id',
    convertedAt: `(select extract(epoch from min(x.became_conversion_at)) * 1000 from referrals x
      where x.program_id = s.program_id and x.customer_id = coalesce(s.customer_id, r.customer_id))`,
    after: '(occurred_at, id) > ($3::timestamptz, $4::uuid)',
    placeOf: ({ occurredAt, id }: Place) => [occurredAt, id],
  },
}

/** Where a batch ended. */
type Place = { referralId: string; occurredAt: string; id: string }

/** One JSON text is much faster than rows. */
const salesIn = ({ columns, ofSales, after, convertedAt }: (typeof orders)[SaleOrder], ofCampaign: boolean) =>
  statement<{ rows: string }>(`
  select coalesce(json_agg(json_build_object(
    'referralId', s.referral_id, 'customerKey', coalesce(s.customer_id, r.customer_id, s.referral_id), 'id', s.id, 'convertedAt', ${convertedAt},
    'affiliateId', s.affiliate_id, 'campaignId', s.campaign_id,
    'currency', s.currency, 'amountCents', s.amount_cents::text, 'refundedCents', s.refunded_cents::text,
    'occurredAt', extract(epoch from s.occurred_at) * 1000, 'attributedBy', s.attributed_by,
    'referredAt', extract(epoch from r.created_at) * 1000, 'actualCurrency', c.currency,
    'actualCents', coalesce(c.amount, 0)::text, 'actualCommissions', coalesce(c.commissions, 0),
    'billingInterval', s.billing_interval, 'paymentNumber', s.payment_number, 'items', coalesce(s.items, '[]'),
    'refunds', case when s.items is not null and s.refunded_cents > 0 then coalesce((select json_agg(json_build_object('items', f.items))
      from refunds f where f.program_id = s.program_id and f.sale_id = s.id and f.reversed_at is null), '[]') else '[]' end,
    'couponKeys', coalesce(s.decision->'coupons', case when p.token_key is null then '[]' else jsonb_build_array(p.token_key) end),
    'groupIds', coalesce((select jsonb_agg(m.group_id) from affiliate_group_memberships m
      where m.program_id = s.program_id and m.affiliate_id = s.affiliate_id
        and m.from_at <= s.occurred_at and (m.until_at is null or m.until_at > s.occurred_at)), '[]'),
    'recordedRule', case when s.decision->'rule'->'applied'->>'id' is not null then s.decision->'rule' end,
    'isDenied', coalesce(s.no_commission_reason in ('self_referral', 'attribution_undone'), false)
      or coalesce(c.is_void and s.refunded_cents < s.amount_cents, false)
  ) order by ${ofSales}), '[]')::text as rows
  from (
    select * from sales
    where program_id = $1::uuid and ${after}
      and occurred_at < $2::timestamptz ${ofCampaign ? 'and campaign_id = $5::uuid' : ''}
    order by ${columns} limit ${batchSize}
  ) s
    join referrals r on r.program_id = s.program_id and r.id = s.referral_id
    left join affiliate_coupons p on p.program_id = r.program_id and p.id = r.coupon_id
    left join lateral (
      select min(currency) as currency, sum(amount_cents) filter (where voided_at is null) as amount,
        count(*) filter (where voided_at is null and refund_id is null) as commissions,
        bool_or(refund_id is null and voided_at is not null) as is_void
      from commissions where program_id = s.program_id and sale_id = s.id
    ) c on true`)

const statements = {
  referral: { all: salesIn(orders.referral, false), ofCampaign: salesIn(orders.referral, true) },
  time: { all: salesIn(orders.time, false), ofCampaign: salesIn(orders.time, true) },
}

/** Reads sales before a time in batches. Other requests are handled between two of them. */
export async function* readPastSales(
  ctx: ProgramCtx,
  campaignId: string | undefined,
  before: Date,
  order: SaleOrder = 'referral',
): AsyncGenerator<RecordedSale[]> {
  const { all, ofCampaign } = statements[order]
  let last: Place = { referralId: nilId, occurredAt: '-infinity', id: nilId }
  for (;;) {
    await giveWay(ctx)
    const values = [ctx.program.id, before.toISOString(), ...orders[order].placeOf(last)]
    const [batch] =
      campaignId === undefined
        ? await ctx.db.sql.query(all, values)
        : await ctx.db.sql.query(ofCampaign, [...values, campaignId])
    const rows = JSON.parse(batch?.rows ?? '[]') as Row[]
    yield rows.map(toRecordedSale)
    const end = rows.at(-1)
    if (!end || rows.length < batchSize) return
    last = { ...end, occurredAt: new Date(end.occurredAt).toISOString() }
  }
}

const toRecordedSale = ({
  amountCents,
  refundedCents,
  actualCents,
  occurredAt,
  referredAt,
  convertedAt,
  ...row
}: Row): RecordedSale => ({
  ...row,
  amountCents: BigInt(amountCents),
  refundedCents: BigInt(refundedCents),
  actualCents: BigInt(actualCents),
  occurredAt: new Date(occurredAt),
  referredAt: new Date(referredAt),
  convertedAt: convertedAt === null ? null : new Date(convertedAt),
})
