import { Prisma } from '../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import { isId } from '../../kernel/ids.ts'
import { parseInput } from '../../kernel/input/parse.ts'
import { maxCents } from '../../kernel/money/amounts.ts'
import { type Page, readPage } from '../../kernel/pagination/page.ts'
import { dueCommissions, dueGroups, payable } from './due.ts'
import { payoutPreviewInput } from './input.ts'

export const notPayableReasons = ['nothing_due', 'debt', 'below_minimum'] as const
export type NotPayableReason = (typeof notPayableReasons)[number]

/** One affiliate's expected payout in one currency. Amounts are in minor units of that currency. */
export type ExpectedPayout = {
  programId: string
  affiliateId: string
  currency: string
  /** Negative if debts exceed the due commissions; there is no payout then. */
  amountCents: bigint
  commissionCount: number
  debtCents: bigint
  minimumPayoutCents: bigint
  reason: NotPayableReason | null
  openPayoutId: string | null
  nextDueAt: Date | null
}

/** The total of the expected payouts in one currency. */
export type PreviewTotal = {
  currency: string
  payouts: number
  /** Null above 2^53 - 1, which a JSON number cannot hold exactly. */
  amountCents: bigint | null
  payableCents: bigint | null
}

export type PayoutPreview = Page<ExpectedPayout> & { asOf: Date; totals: PreviewTotal[] }

/**
 * Previews the payouts that collecting would make at a time, if nothing else happens until then. Nothing is written.
 * Held commissions are not counted.
 *
 * @throws INVALID_INPUT
 */
export async function previewPayouts(ctx: ProgramCtx, raw: unknown): Promise<PayoutPreview> {
  const input = await parseInput(payoutPreviewInput, raw)
  const now = ctx.now()
  const asOf = input.asOf && input.asOf > now ? input.asOf : now
  const expected = expectedPayouts(ctx.program.id, asOf, input.affiliateId)
  const totals = await ctx.db.$queryRaw<TotalRow[]>`
    with ${expected}
    select currency, count(*)::int as payouts, sum(amount_cents)::text as amount,
      coalesce(sum(amount_cents) filter (where reason is null), 0)::text as payable
    from expected where reason is null or reason = 'below_minimum' group by currency order by currency`
  const page = await readPage(
    input,
    async () => {
      const [row] = await ctx.db.$queryRaw<{ count: number }[]>`with ${expected} select count(*)::int from expected`
      return row?.count ?? 0
    },
    async ({ skip, take }) => {
      const rows = await ctx.db.$queryRaw<ExpectedRow[]>`
        with ${expected}
        select affiliate_id::text, currency, amount_cents::text, commissions::int, debt_cents::text,
          minimum_cents::text, reason, payout_id::text, next_due_at
        from expected order by currency, expected.amount_cents desc, affiliate_id limit ${take} offset ${skip}`
      return rows.map((row) => expectedPayout(ctx.program.id, row))
    },
  )
  return { ...page, asOf, totals: totals.map(total) }
}

/** One row for each affiliate and currency that has due commissions or commissions that become due later. */
function expectedPayouts(programId: string, asOf: Date, affiliateId: string | undefined): Prisma.Sql {
  const program = Prisma.sql`program_id = ${programId}::uuid`
  // An id of invalid form matches no affiliate.
  const ofAffiliate = isId(affiliateId ?? '') ? Prisma.sql`affiliate_id = ${affiliateId}::uuid` : Prisma.sql`false`
  const whose = affiliateId === undefined ? program : Prisma.sql`${program} and ${ofAffiliate}`
  return Prisma.sql`
    due as (${dueCommissions(whose, asOf)}),
    groups as (${dueGroups}),
    later as (
      select affiliate_id, currency, min(due_at) as next_due_at from commissions
      where ${whose} and ${payable} and due_at > ${asOf}::timestamptz group by affiliate_id, currency
    ),
    open as (select id, affiliate_id, currency from payouts where ${whose} and paid_at is null),
    expected as (
      select affiliate_id, currency, coalesce(groups.amount_cents, 0) as amount_cents, coalesce(commissions, 0) as commissions,
        coalesce(debt_cents, 0) as debt_cents, campaigns.minimum_payout_cents as minimum_cents, open.id as payout_id, next_due_at,
        case
          when groups.currency is null then 'nothing_due'
          when groups.amount_cents < 0 then 'debt'
          when groups.amount_cents < campaigns.minimum_payout_cents then 'below_minimum'
        end as reason
      from groups full join later using (affiliate_id, currency)
      join affiliates on affiliates.${program} and affiliates.id = affiliate_id
      join campaigns on campaigns.${program} and campaigns.id = affiliates.campaign_id
      left join open using (affiliate_id, currency)
    )`
}

type TotalRow = { currency: string; payouts: number; amount: string; payable: string }

const total = ({ currency, payouts, amount, payable }: TotalRow): PreviewTotal => ({
  currency,
  payouts,
  amountCents: exact(BigInt(amount)),
  payableCents: exact(BigInt(payable)),
})

const exact = (cents: bigint) => (cents <= maxCents ? cents : null)

type ExpectedRow = {
  affiliate_id: string
  currency: string
  amount_cents: string
  commissions: number
  debt_cents: string
  minimum_cents: string
  reason: NotPayableReason | null
  payout_id: string | null
  next_due_at: Date | null
}

const expectedPayout = (programId: string, row: ExpectedRow): ExpectedPayout => ({
  programId,
  affiliateId: row.affiliate_id,
  currency: row.currency,
  amountCents: BigInt(row.amount_cents),
  commissionCount: row.commissions,
  debtCents: BigInt(row.debt_cents),
  minimumPayoutCents: BigInt(row.minimum_cents),
  reason: row.reason,
  openPayoutId: row.payout_id,
  nextDueAt: row.next_due_at,
})
