import { Prisma } from '../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import { addIntervals, firstDayOf, labelOf } from './intervals.ts'
import type { Analytics } from './service.ts'
import { conditionsOf, rowsWithSource } from './where.ts'
import { dayOf, startOfDay } from './zone.ts'

type Week = { week: string; start: Date; amountCents: bigint; commissions: number }
export type Liability = {
  currency: string
  dueCents: bigint
  pendingCents: bigint
  heldCents: bigint
  weeks: Week[]
}

type Sum = { currency: string; due: string; pending: string; held: string; first: Date | null; last: Date | null }

/** Reads what is owed now, in every currency: the commissions that are neither paid nor void, with held ones apart. */
export async function readLiability(ctx: ProgramCtx, { query, timeZone }: Analytics): Promise<Liability[]> {
  const { programId, where, now } = query
  const open = Prisma.sql`from ${rowsWithSource('commissions', where)} where ${Prisma.join(
    [Prisma.sql`program_id = ${programId}::uuid and paid_at is null and voided_at is null`, ...conditionsOf(where)],
    ' and ',
  )}`
  const sums = await ctx.db.$queryRaw<Sum[]>`
    select currency, coalesce(sum(amount_cents) filter (where held_reason is null and due_at <= ${now}::timestamptz), 0)::text as due,
      coalesce(sum(amount_cents) filter (where held_reason is null and due_at > ${now}::timestamptz), 0)::text as pending,
      coalesce(sum(amount_cents) filter (where held_reason is not null), 0)::text as held,
      min(due_at) filter (where held_reason is null) as first, max(due_at) filter (where held_reason is null) as last
    ${open} group by currency order by currency`
  const mondays = mondaysBetween(
    sums.flatMap(({ first, last }) => (first && last ? [first.getTime(), last.getTime()] : [])),
    timeZone,
  )
  const starts = mondays.map(({ start }) => new Date(start).toISOString())
  const weeks = await ctx.db.$queryRaw<{ currency: string; n: number; amount: string; commissions: number }[]>`
    select currency, width_bucket(due_at, ${starts}::text[]::timestamptz[]) as n, sum(amount_cents)::text as amount,
      count(*)::int as commissions
    ${open} and held_reason is null group by 1, 2 order by 1, 2`
  return sums.map(({ currency, due, pending, held }) => ({
    currency,
    dueCents: BigInt(due),
    pendingCents: BigInt(pending),
    heldCents: BigInt(held),
    weeks: weeks
      .filter((week) => week.currency === currency)
      .flatMap(({ n, amount, commissions }) => {
        const monday = mondays[n - 1]
        return monday
          ? { week: monday.label, start: new Date(monday.start), amountCents: BigInt(amount), commissions }
          : []
      }),
  }))
}

/** The Mondays of all weeks from the earliest to the latest of the times. */
function mondaysBetween(times: number[], timeZone: string): { label: string; start: number }[] {
  if (times.length === 0) return []
  const [first, last] = [Math.min(...times), Math.max(...times)]
  const mondays: { label: string; start: number }[] = []
  let day = firstDayOf(dayOf(first, timeZone), 'week')
  for (let start = startOfDay(day, timeZone); start <= last; start = startOfDay(day, timeZone)) {
    mondays.push({ label: labelOf(day, 'week'), start })
    day = addIntervals(day, 'week', 1)
  }
  return mondays
}
