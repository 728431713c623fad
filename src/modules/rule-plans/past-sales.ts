import { statement } from '../../database/client/sql.ts'
import type { AttributionSignal } from '../../generated/prisma/enums.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import { giveWay } from '../../kernel/slices.ts'
import type { RefundedItem } from '../commissions/lines.ts'
import { isPlacedById, type SaleFact } from '../sales/timeline/fact.ts'

/**
 * A recorded sale, to be evaluated under other rules, with what it actually earned. Its refunds until now are one, made
 * at the time of the sale. An amount that a person set is ignored.
 */
export type PastSale = Omit<SaleFact, 'campaign' | 'version'> & {
  attributedBy: AttributionSignal
  referredAt: Date
  /** Null if it never earned a commission. */
  actualCurrency: string | null
  /** The sum of its commissions that are not void, including negative ones and corrections. */
  actualCents: bigint
  actualCommissions: number
}

/** The embedded database takes some 20 ms of this thread for so many: nothing else happens meanwhile. */
const batchSize = 200

/** A row as JSON from PostgreSQL: amounts are text, and times are epoch milliseconds. */
type Row = Pick<
  PastSale,
  | 'id'
  | 'externalId'
  | 'isTimed'
  | 'customerKey'
  | 'referralId'
  | 'affiliateId'
  | 'campaignId'
  | 'currency'
  | 'attributedBy'
  | 'actualCurrency'
  | 'actualCommissions'
  | 'billingInterval'
  | 'paymentNumber'
  | 'items'
  | 'couponKeys'
  | 'groupIds'
  | 'isRejected'
  | 'holdsPlace'
> & {
  amountCents: string
  refundedCents: string
  /** Those that refunds name. */
  refundedItems: RefundedItem[]
  actualCents: string
  occurredAt: number
  referredAt: number
  convertedAt: number | null
  isVoided: boolean
}

/** The order of sales, as `bySale`. */
const isTimed = `not coalesce(s.decision ? 'isUntimed', false)`
const placedById = `(s.external_id is not null and ${isTimed})`
const place = `s.occurred_at, not ${placedById}, case when ${placedById} then s.external_id else '' end collate "C", s.id`

/** One JSON text is much faster than rows. */
const salesIn = (ofCampaign: boolean) =>
  statement<{ rows: string }>(`
  select coalesce(json_agg(json_build_object(
    'id', s.id, 'externalId', s.external_id, 'isTimed', ${isTimed},
    'referralId', s.referral_id, 'customerKey', coalesce(s.customer_id, r.customer_id, s.referral_id),
    'affiliateId', s.affiliate_id, 'campaignId', s.campaign_id,
    'currency', s.currency, 'amountCents', s.amount_cents::text, 'refundedCents', s.refunded_cents::text,
    'occurredAt', extract(epoch from s.occurred_at) * 1000, 'attributedBy', s.attributed_by,
    'referredAt', extract(epoch from r.created_at) * 1000,
    'convertedAt', case when coalesce(s.customer_id, r.customer_id) is null
      then extract(epoch from r.became_conversion_at) * 1000
      else (select extract(epoch from min(x.became_conversion_at)) * 1000 from referrals x
        where x.program_id = s.program_id and x.customer_id = coalesce(s.customer_id, r.customer_id)) end,
    'actualCurrency', c.currency, 'actualCents', coalesce(c.amount, 0)::text,
    'actualCommissions', coalesce(c.commissions, 0),
    'billingInterval', s.billing_interval, 'paymentNumber', s.payment_number, 'items', coalesce(s.items, '[]'),
    'refundedItems', case when s.items is not null and s.refunded_cents > 0 then coalesce((
      select jsonb_agg(item) from refunds f cross join lateral jsonb_array_elements(f.items) item
      where f.program_id = s.program_id and f.sale_id = s.id and f.reversed_at is null
        and jsonb_typeof(f.items) = 'array'), '[]') else '[]' end,
    'couponKeys', coalesce(s.decision->'coupons', case when p.token_key is null then '[]' else jsonb_build_array(p.token_key) end),
    'groupIds', coalesce((select jsonb_agg(m.group_id) from affiliate_group_memberships m
      where m.program_id = s.program_id and m.affiliate_id = s.affiliate_id
        and m.from_at <= s.occurred_at and (m.until_at is null or m.until_at > s.occurred_at)), '[]'),
    'isRejected', case when s.no_commission_reason in ('self_referral', 'attribution_undone')
      then to_jsonb(s.no_commission_reason) else 'false' end,
    'isVoided', coalesce(c.is_void and s.refunded_cents < s.amount_cents, false),
    'holdsPlace', coalesce(c.is_fixed and not c.is_void, false)
  ) order by ${place}), '[]')::text as rows
  from (
    select * from sales s
    where s.program_id = $1::uuid and s.occurred_at >= $3::timestamptz and s.occurred_at < $2::timestamptz
      and (${place}) > ($3::timestamptz, $4::boolean, $5::text, $6::uuid) ${ofCampaign ? 'and s.campaign_id = $7::uuid' : ''}
    order by ${place} limit ${batchSize}
  ) s
    join referrals r on r.program_id = s.program_id and r.id = s.referral_id
    left join affiliate_coupons p on p.program_id = r.program_id and p.id = r.coupon_id
    left join lateral (
      select min(currency) as currency, sum(amount_cents) filter (where voided_at is null) as amount,
        count(*) filter (where voided_at is null and is_earned) as commissions,
        bool_or(is_earned and voided_at is not null and amount_cents <> 0) as is_void,
        bool_or(refund_id is not null or paid_at is not null) filter (where sale_id is not null) as is_fixed
      from (
        select sale_id, currency, amount_cents, voided_at, paid_at, refund_id, refund_id is null as is_earned
        from commissions where program_id = s.program_id and sale_id = s.id
        union all select sale_id, currency, amount_cents, voided_at, paid_at, refund_id, false
        from commissions where program_id = s.program_id and corrects_sale_id = s.id
      ) of_sale
    ) c on true`)

const statements = { all: salesIn(false), ofCampaign: salesIn(true) }

const beforeAll = ['-infinity', false, '', '00000000-0000-0000-0000-000000000000']

const placeOf = ({ occurredAt, isTimed, externalId, id }: Row) => {
  const isPlaced = isPlacedById({ externalId, isTimed })
  return [new Date(occurredAt).toISOString(), !isPlaced, isPlaced ? externalId : '', id]
}

/** Reads sales before a time in batches, in the order in which they occurred. Other requests run between batches. */
export async function* readPastSales(
  ctx: ProgramCtx,
  campaignId: string | undefined,
  before: Date,
): AsyncGenerator<PastSale[]> {
  let last: unknown[] = beforeAll
  for (;;) {
    await giveWay(ctx)
    const values = [ctx.program.id, before.toISOString(), ...last]
    const [batch] =
      campaignId === undefined
        ? await ctx.db.sql.query(statements.all, values)
        : await ctx.db.sql.query(statements.ofCampaign, [...values, campaignId])
    const rows = JSON.parse(batch?.rows ?? '[]') as Row[]
    yield rows.map(pastSaleOf)
    const end = rows.at(-1)
    if (!end || rows.length < batchSize) return
    last = placeOf(end)
  }
}

function pastSaleOf({ refundedCents, refundedItems, isVoided, ...row }: Row): PastSale {
  const { id } = row
  const occurredAt = new Date(row.occurredAt)
  const refund = { id, amountCents: BigInt(refundedCents), items: refundedItems, at: occurredAt }
  return {
    ...row,
    amountCents: BigInt(row.amountCents),
    actualCents: BigInt(row.actualCents),
    occurredAt,
    referredAt: new Date(row.referredAt),
    convertedAt: row.convertedAt === null ? null : new Date(row.convertedAt),
    refunds: refund.amountCents > 0n ? [{ ...refund, isTimed: true, reversedAt: null }] : [],
    voided: isVoided ? { at: occurredAt, id } : null,
    setCents: null,
  }
}
