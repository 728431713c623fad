import { Prisma } from '../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import { addIntervals, firstDayOf, labelOf } from './intervals.ts'
import type { Analytics } from './service.ts'
import { conditionsOf } from './where.ts'
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

/** What is owed now, in every currency: commissions that are neither paid nor void. Those that are held are told apart. */
export async function readLiability(ctx: ProgramCtx, { question, timeZone }: Analytics): Promise<Liability[]> {
  const { programId, where, now } = question
  const source =
    where.linkId || where.couponId
      ? Prisma.sql`
        (select c.*, coalesce(r.link_id, '00000000-0000-0000-0000-000000000000') as link_id,
          coalesce(r.coupon_id, '00000000-0000-0000-0000-000000000000') as coupon_id
        from commissions c join referrals r on r.program_id = c.program_id and r.id = c.referral_id) owed`
      : Prisma.sql`commissions`
  const open = Prisma.sql`from ${source} where ${Prisma.join(
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

/** The weeks from the first to the last of the moments. */
function mondaysBetween(moments: number[], timeZone: string): { label: string; start: number }[] {
  if (moments.length === 0) return []
  const [first, last] = [Math.min(...moments), Math.max(...moments)]
  const mondays: { label: string; start: number }[] = []
  let day = firstDayOf(dayOf(first, timeZone), 'week')
  for (let start = startOfDay(day, timeZone); start <= last; start = startOfDay(day, timeZone)) {
    mondays.push({ label: labelOf(day, 'week'), start })
    day = addIntervals(day, 'week', 1)
  }
  return mondays
}
