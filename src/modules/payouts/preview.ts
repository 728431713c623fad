import { Prisma } from '../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import { isId } from '../../kernel/ids.ts'
import { parseInput } from '../../kernel/input/parse.ts'
import { maxCents } from '../../kernel/money/amounts.ts'
import { byCurrency } from '../../kernel/money/currency-order.ts'
import { cents, text } from '../../listing/listing.ts'
import type { Rule } from '../../listing/rule.ts'
import { readWindow, type Slice, type Sort, sliceOf, type Window, type WindowInput } from '../../listing/window.ts'
import { dueCommissions, dueGroups, openPayout, payable } from './due.ts'
import { payoutPreviewInput } from './input.ts'
import { inOpenRun } from './open-runs.ts'

export const notPayableReasons = [
  'nothing_due',
  'debt',
  'nothing_to_pay',
  'in_open_run',
  'address_changed',
  'tax_profile_missing',
  'below_minimum',
] as const
export type NotPayableReason = (typeof notPayableReasons)[number]

/** One affiliate's expected payout in one currency. Amounts are in minor units of that currency. */
export type ExpectedPayout = {
  id: string
  programId: string
  affiliateId: string
  currency: string
  /** Negative if debts exceed the due commissions: then there is no payout. */
  amountCents: bigint
  /** What would be withheld of it as tax. */
  withheldCents: bigint
  commissionCount: number
  debtCents: bigint
  minimumPayoutCents: bigint
  reason: NotPayableReason | null
  openPayoutId: string | null
  nextDueAt: Date | null
}

export type PreviewTotal = {
  currency: string
  payouts: number
  payablePayouts: number
  /** Null above 2^53 - 1, which a JSON number cannot hold exactly. */
  amountCents: bigint | null
  payableCents: bigint | null
  /** Of what can be paid. */
  withheldCents: bigint | null
}

/** Each part is read only when it is requested. */
export type PayoutPreview = {
  asOf: Date
  window: Window
  slice: () => Promise<Slice<ExpectedPayout>>
  totalCount: () => Promise<number>
  totals: () => Promise<PreviewTotal[]>
}

/** By currency, largest amounts first. `id` stands for the affiliate's id, which makes the order total. */
const order: Sort[] = [
  { field: 'currency', direction: 'asc' },
  { field: 'amount', direction: 'desc' },
]
const listing = {
  fields: { currency: text('currency'), amountCents: cents('amountCents') },
  orders: { currency: 'currency', amount: 'amountCents' },
}

/** Previews the payouts that collecting would make at a time, without held commissions. @throws INVALID_INPUT */
export async function previewPayouts(ctx: ProgramCtx, raw: unknown, page: WindowInput): Promise<PayoutPreview> {
  const input = await parseInput(payoutPreviewInput, raw)
  const window = readWindow(listing, { ...page, orderBy: order })
  const now = ctx.now()
  const asOf = input.asOf && input.asOf > now ? input.asOf : now
  const expected = Prisma.sql`${expectedPayouts(ctx.program.id, asOf, input.affiliateId)},
    expected as (select * from all_expected where ${shownOf(input)})`
  return {
    asOf,
    window,
    async totals() {
      const totals = await ctx.db.$queryRaw<TotalRow[]>`
        with ${expected}
        select currency, count(*)::int as payouts, (count(*) filter (where reason is null))::int as payable_payouts, sum(amount_cents)::text as amount,
          coalesce(sum(amount_cents) filter (where reason is null), 0)::text as payable,
          coalesce(sum(withheld_cents) filter (where reason is null), 0)::text as withheld
        from expected where reason is null or reason in ('below_minimum', 'in_open_run', 'address_changed', 'tax_profile_missing') group by currency`
      return totals.map(total).sort(byCurrency(ctx.program.currency))
    },
    async totalCount() {
      const [row] = await ctx.db.$queryRaw<{ count: number }[]>`with ${expected} select count(*)::int from expected`
      return row?.count ?? 0
    },
    async slice() {
      const sorts = window.sorts.map(({ column, direction }) => {
        const isAscending = (direction === 'asc') !== window.isBackward
        return Prisma.sql`${columnOf(column).sql} ${Prisma.raw(isAscending ? 'asc' : 'desc')}`
      })
      const rows = await ctx.db.$queryRaw<ExpectedRow[]>`
        with ${expected}
        select affiliate_id::text, currency, amount_cents::text, withheld_cents::text, commissions::int, debt_cents::text,
          minimum_cents::text, reason, payout_id::text, next_due_at
        from expected where ${conditionOf(window.beyond)} order by ${Prisma.join(sorts)} limit ${window.size + 1}`
      return sliceOf(
        window,
        rows.map((row) => expectedPayout(ctx.program.id, row)),
      )
    },
  }
}

/** The condition of the search, and of the filter by what can be paid. */
function shownOf({ search, isPayable }: { search?: string | undefined; isPayable?: boolean | undefined }) {
  const pattern = `%${(search ?? '').replaceAll(/[\\%_]/g, '\\$&')}%`
  const found =
    search === undefined ? Prisma.sql`true` : Prisma.sql`concat_ws(' ', first_name, last_name, email) ilike ${pattern}`
  if (isPayable === undefined) return found
  return isPayable ? Prisma.sql`${found} and reason is null` : Prisma.sql`${found} and reason is not null`
}

const columns: Record<string, { sql: Prisma.Sql; cast: Prisma.Sql }> = {
  currency: { sql: Prisma.sql`expected.currency`, cast: Prisma.sql`text` },
  amountCents: { sql: Prisma.sql`expected.amount_cents`, cast: Prisma.sql`numeric` },
  id: { sql: Prisma.sql`expected.affiliate_id`, cast: Prisma.sql`uuid` },
}

function columnOf(name: string) {
  const column = columns[name]
  if (!column) throw new Error(`Expected payouts cannot be sorted by ${name}.`)
  return column
}

const operators: Record<string, string> = { gt: '>', gte: '>=', lt: '<', lte: '<=' }

/** The SQL of a window's condition, which `readWindow` writes for Prisma. */
function conditionOf(rule: Rule): Prisma.Sql {
  const conditions = Object.entries(rule).map(([key, value]) => {
    if (key === 'AND' || key === 'OR')
      return Prisma.join((value as Rule[]).map(conditionOf), key === 'AND' ? ' and ' : ' or ', '(', ')')
    const { sql, cast } = columnOf(key)
    const [[name, operand] = ['', value]] = typeof value === 'object' ? Object.entries(value as Rule) : []
    return Prisma.sql`${sql} ${Prisma.raw(operators[name] ?? '=')} ${String(operand)}::${cast}`
  })
  return conditions.length === 0 ? Prisma.sql`true` : Prisma.join(conditions, ' and ')
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
    open as (select id, affiliate_id, currency, ${inOpenRun(Prisma.sql`payouts`)} as is_in_run from payouts where ${whose} and ${openPayout}),
    all_expected as (
      select affiliate_id, currency, affiliates.email, affiliates.first_name, affiliates.last_name, coalesce(groups.amount_cents, 0) as amount_cents,
        withheld_of(greatest(groups.amount_cents, 0)::bigint, withholding_of(affiliates)) as withheld_cents, coalesce(commissions, 0) as commissions,
        coalesce(debt_cents, 0) as debt_cents, minimum_payout(campaigns, currency) as minimum_cents, open.id as payout_id, next_due_at,
        case
          when groups.currency is null then 'nothing_due'
          when groups.amount_cents < 0 then 'debt'
          when groups.amount_cents = withheld_of(groups.amount_cents::bigint, withholding_of(affiliates)) then 'nothing_to_pay'
          when open.is_in_run then 'in_open_run'
          when affiliates.payouts_held_until > ${asOf}::timestamptz then 'address_changed'
          when lacks_tax_profile(affiliates.program_id, affiliates.id, ${asOf}::timestamptz) then 'tax_profile_missing'
          when groups.amount_cents < minimum_payout(campaigns, currency) then 'below_minimum'
        end as reason
      from groups full join later using (affiliate_id, currency)
      join affiliates on affiliates.${program} and affiliates.id = affiliate_id
      join campaigns on campaigns.${program} and campaigns.id = affiliates.campaign_id
      left join open using (affiliate_id, currency)
    )`
}

type TotalRow = {
  currency: string
  payouts: number
  payable_payouts: number
  amount: string
  payable: string
  withheld: string
}

const total = ({ currency, payouts, payable_payouts, amount, payable, withheld }: TotalRow): PreviewTotal => ({
  currency,
  payouts,
  payablePayouts: payable_payouts,
  amountCents: exact(BigInt(amount)),
  payableCents: exact(BigInt(payable)),
  withheldCents: exact(BigInt(withheld)),
})

const exact = (cents: bigint) => (cents <= maxCents ? cents : null)

type ExpectedRow = {
  affiliate_id: string
  currency: string
  amount_cents: string
  withheld_cents: string
  commissions: number
  debt_cents: string
  minimum_cents: string
  reason: NotPayableReason | null
  payout_id: string | null
  next_due_at: Date | null
}

const expectedPayout = (programId: string, row: ExpectedRow): ExpectedPayout => ({
  id: row.affiliate_id,
  programId,
  affiliateId: row.affiliate_id,
  currency: row.currency,
  amountCents: BigInt(row.amount_cents),
  withheldCents: BigInt(row.withheld_cents),
  commissionCount: row.commissions,
  debtCents: BigInt(row.debt_cents),
  minimumPayoutCents: BigInt(row.minimum_cents),
  reason: row.reason,
  openPayoutId: row.payout_id,
  nextDueAt: row.next_due_at,
})
