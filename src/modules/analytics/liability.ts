import { Prisma } from '../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import { byCurrency } from '../../kernel/money/currency-order.ts'
import { dayOf, startOfDay } from '../../kernel/time-zone.ts'
import { sumsOf } from './facts.ts'
import { addIntervals, firstDayOf, labelOf } from './intervals.ts'
import type { Span } from './range.ts'
import type { Analytics } from './service.ts'
import { conditionsOf, rowsWithSource } from './where.ts'

type Week = { week: string; start: Date; amountCents: bigint; commissions: number }
export type Liability = {
  currency: string
  dueCents: bigint
  pendingCents: bigint
  heldCents: bigint
  weeks: Week[]
}

/** A week, or the part of it until now or after now. */
type Part = Span & { label: string; monday: number }

/** The end of time, for facts in the future. */
const always = new Date(8_640_000_000_000_000)

/** What is owed now, by currency. Held commissions are few and have an index; rollups sum up the others by due date. */
export async function readLiability(ctx: ProgramCtx, { query, timeZone }: Analytics): Promise<Liability[]> {
  const parts = partsOf(await readMonths(ctx), query.now.getTime(), timeZone)
  const facts = sumsOf({ ...query, currency: null, dimension: 'currency', now: always }, ['due'], parts)
  const [sums, held] = await Promise.all([
    ctx.db.$queryRaw<{ currency: string; part: number; amount: string; commissions: number }[]>`
      select key as currency, bucket as part, sum(amount)::text as amount, sum(count)::int as commissions
      from (${facts}) sums group by key, bucket having sum(count) <> 0 order by key, bucket`,
    ctx.db.$queryRaw<{ currency: string; amount: string }[]>`
      select currency, sum(amount_cents)::text as amount from ${rowsWithSource('commissions', query.where)}
      where ${Prisma.join([ofProgram(ctx), ...conditionsOf(query.where)], ' and ')}
        and held_reason is not null and paid_at is null and voided_at is null
      group by currency`,
  ])
  const heldIn = new Map(held.map(({ currency, amount }) => [currency, BigInt(amount)]))
  const currencies = new Set([...sums.map(({ currency }) => currency), ...heldIn.keys()])
  const liabilities = [...currencies].map((currency) => {
    const liability: Liability = {
      currency,
      dueCents: 0n,
      pendingCents: 0n,
      heldCents: heldIn.get(currency) ?? 0n,
      weeks: [],
    }
    for (const sum of sums) {
      const part = parts[sum.part]
      if (sum.currency !== currency || !part) continue
      const amountCents = BigInt(sum.amount)
      if (part.to <= query.now.getTime() + 1) liability.dueCents += amountCents
      else liability.pendingCents += amountCents
      addToWeek(liability.weeks, part, amountCents, sum.commissions)
    }
    return liability
  })
  return liabilities.sort(byCurrency(ctx.program.currency))
}

const ofProgram = ({ program }: ProgramCtx) => Prisma.sql`program_id = ${program.id}::uuid`

/** The parts are in order, so the two parts of a week follow each other. */
function addToWeek(weeks: Week[], { label, monday }: Part, amountCents: bigint, commissions: number): void {
  const last = weeks.at(-1)
  if (last?.week !== label) {
    weeks.push({ week: label, start: new Date(monday), amountCents, commissions })
    return
  }
  last.amountCents += amountCents
  last.commissions += commissions
}

/** The starts of the months, in UTC, that have due dates of commissions that are neither paid, void nor held. */
async function readMonths(ctx: ProgramCtx): Promise<number[]> {
  const rows = await ctx.db.$queryRaw<{ start: Date }[]>`
    select start from analytics_by_campaign
    where ${ofProgram(ctx)} and kind = 'due' and grain = 'month' and count <> 0
    union select analytics_start('month', start) from analytics_deltas where ${ofProgram(ctx)} and kind = 'due'
    order by start`
  return rows.map(({ start }) => start.getTime())
}

/** The weeks of the time zone that overlap the months. The current one is divided into what is due and what is not. */
function partsOf(months: readonly number[], now: number, timeZone: string): Part[] {
  const parts: Part[] = []
  let next = Number.NEGATIVE_INFINITY
  for (const month of months) {
    const date = new Date(month)
    const end = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1)
    let day = firstDayOf(dayOf(Math.max(month, next), timeZone), 'week')
    for (let monday = startOfDay(day, timeZone); monday < end; monday = next) {
      const label = labelOf(day, 'week')
      day = addIntervals(day, 'week', 1)
      next = startOfDay(day, timeZone)
      const cuts = [monday, ...(monday <= now && now + 1 < next ? [now + 1] : []), next]
      for (const [index, to] of cuts.slice(1).entries()) parts.push({ from: cuts[index] as number, to, label, monday })
    }
  }
  return parts
}
