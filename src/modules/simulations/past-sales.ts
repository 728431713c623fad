import { Prisma } from '../../generated/prisma/client.ts'
import type { AttributionSignal } from '../../generated/prisma/enums.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import { nilId } from '../analytics/where.ts'
import type { PastSale } from './replay.ts'

/** A sale to replay, with what it actually earned. */
export type RecordedSale = PastSale & {
  referralId: string
  affiliateId: string
  campaignId: string
  /** Null if it never earned a commission. */
  actualCurrency: string | null
  /** The sum of its commissions that are not void, including negative ones. */
  actualCents: bigint
  actualCommissions: number
}

const batchSize = 5_000

/** A row as JSON from PostgreSQL: amounts are text, and times are epoch milliseconds. */
type Row = Omit<
  RecordedSale,
  'amountCents' | 'refundedCents' | 'actualCents' | 'occurredAt' | 'referredAt' | 'attributedBy'
> & {
  id: string
  amountCents: string
  refundedCents: string
  actualCents: string
  occurredAt: number
  referredAt: number
  attributedBy: AttributionSignal
}

/** Reads sales before a time in batches, by referral and recording. One JSON text is much faster than rows. */
export async function* readPastSales(
  { db, program }: ProgramCtx,
  campaignId: string | undefined,
  before: Date,
): AsyncGenerator<RecordedSale[]> {
  const ofCampaign = campaignId === undefined ? Prisma.empty : Prisma.sql`and campaign_id = ${campaignId}::uuid`
  let last = { referralId: nilId, id: nilId }
  for (;;) {
    const [batch] = await db.$queryRaw<[{ rows: string }]>`
      select coalesce(json_agg(json_build_object(
        'referralId', s.referral_id, 'id', s.id, 'affiliateId', s.affiliate_id, 'campaignId', s.campaign_id,
        'currency', s.currency, 'amountCents', s.amount_cents::text, 'refundedCents', s.refunded_cents::text,
        'occurredAt', extract(epoch from s.occurred_at) * 1000, 'attributedBy', s.attributed_by,
        'referredAt', extract(epoch from r.created_at) * 1000, 'actualCurrency', c.currency,
        'actualCents', coalesce(c.amount, 0)::text, 'actualCommissions', coalesce(c.commissions, 0),
        'isDenied', coalesce(s.no_commission_reason = 'self_referral', false)
          or coalesce(c.is_void and s.refunded_cents < s.amount_cents, false)
      ) order by s.referral_id, s.id), '[]')::text as rows
      from (
        select * from sales
        where program_id = ${program.id}::uuid and (referral_id, id) > (${last.referralId}::uuid, ${last.id}::uuid)
          and occurred_at < ${before}::timestamptz ${ofCampaign}
        order by referral_id, id limit ${batchSize}
      ) s
        join referrals r on r.program_id = s.program_id and r.id = s.referral_id
        left join lateral (
          select min(currency) as currency, sum(amount_cents) filter (where voided_at is null) as amount,
            count(*) filter (where voided_at is null and refund_id is null) as commissions,
            bool_or(refund_id is null and voided_at is not null) as is_void
          from commissions where program_id = s.program_id and sale_id = s.id
        ) c on true`
    const rows = JSON.parse(batch.rows) as Row[]
    yield rows.map(toRecordedSale)
    const end = rows.at(-1)
    if (!end || rows.length < batchSize) return
    last = end
  }
}

const toRecordedSale = ({
  amountCents,
  refundedCents,
  actualCents,
  occurredAt,
  referredAt,
  ...row
}: Row): RecordedSale => ({
  ...row,
  amountCents: BigInt(amountCents),
  refundedCents: BigInt(refundedCents),
  actualCents: BigInt(actualCents),
  occurredAt: new Date(occurredAt),
  referredAt: new Date(referredAt),
})
