import { Prisma, type Program } from '../../generated/prisma/client.ts'
import { groupBy } from '../../kernel/group-by.ts'
import { localOf } from '../../kernel/time-zone.ts'
import { mailLanguage, mailLocale } from './compose.ts'
import { writtenSum } from './template-values.ts'
import type { Addressee } from './to-affiliate.ts'

/** What the statement of an affiliate says of a month. */
export type Statement = Addressee & {
  /** `2026-10` */
  month: string
  earned: string
  paid: string
  due: string
}

type Row = Addressee & {
  month: string
  currency: string
  earned: bigint
  paid: bigint
  due: bigint
}

/** The first day of the month of a time, in the program's time zone, as a date of UTC. */
export function monthOf(at: Date, { timeZone }: Pick<Program, 'timeZone'>): Date {
  const local = new Date(localOf(at.getTime(), timeZone))
  return new Date(Date.UTC(local.getUTCFullYear(), local.getUTCMonth(), 1))
}

/**
 * What affiliates earned and were paid in each whole month from `from` until `until`, and what is due to them now.
 * Affiliates for whom all of it is nothing have no statement, nor have those who want none.
 */
export async function readStatements(
  tx: Prisma.TransactionClient,
  { id, timeZone, ...program }: Pick<Program, 'id' | 'timeZone' | 'locale' | 'currency'>,
  [from, until]: [Date, Date],
  now: Date,
): Promise<Statement[]> {
  const start = (date: Date) =>
    Prisma.sql`(${date.toISOString().slice(0, 10)}::date::timestamp at time zone ${timeZone})`
  const month = (column: Prisma.Sql) => Prisma.sql`to_char(${column} at time zone ${timeZone}, 'YYYY-MM')`
  const within = (column: Prisma.Sql) => Prisma.sql`${column} >= ${start(from)} and ${column} < ${start(until)}`
  const last = new Date(Date.UTC(until.getUTCFullYear(), until.getUTCMonth() - 1, 1)).toISOString().slice(0, 7)
  const rows = await tx.$queryRaw<Row[]>`
    with sums as (
      select affiliate_id, ${month(Prisma.sql`created_at`)} as month, currency, amount_cents as earned, 0::bigint as paid, 0::bigint as due
      from commissions where program_id = ${id}::uuid and id >= least_id(${start(from)}) and id < least_id(${start(until)})
        and voided_at is null and held_reason is null
      union all
      select affiliate_id, ${month(Prisma.sql`paid_at`)}, currency, 0, amount_cents, 0
      from payouts where program_id = ${id}::uuid and failed_at is null and ${within(Prisma.sql`paid_at`)}
      union all
      select affiliate_id, ${last}, currency, 0, 0, amount_cents
      from commissions where program_id = ${id}::uuid and paid_at is null and voided_at is null and held_reason is null
        and due_at <= ${now}::timestamptz
    )
    select a.id::text as "affiliateId", a.email, a.first_name as "firstName", a.language, s.month, s.currency,
      sum(s.earned)::bigint as earned, sum(s.paid)::bigint as paid, sum(s.due)::bigint as due
    from sums s
      join affiliates a on a.program_id = ${id}::uuid and a.id = s.affiliate_id
      left join mail_choices m on m.program_id = a.program_id and m.affiliate_id = a.id
    where a.state = 'active' and coalesce(m.gets_statement_mails, true)
    group by a.id, a.email, a.first_name, a.language, s.month, s.currency
    having sum(s.earned) <> 0 or sum(s.paid) <> 0 or sum(s.due) <> 0
    order by a.id, s.month, s.currency`
  const byStatement = groupBy(rows, ({ affiliateId, month: name }) => `${affiliateId} ${name}`)
  const written = (of: Row[], name: 'earned' | 'paid' | 'due') => {
    const sums = of.map((row) => ({ cents: row[name], currency: row.currency }))
    return writtenSum(sums, program, mailLocale(program, mailLanguage(program, of[0]?.language)))
  }
  return [...byStatement.values()].map((of) => {
    const { affiliateId, email, firstName, language, month: name } = of[0] as Row
    const sums = { earned: written(of, 'earned'), paid: written(of, 'paid'), due: written(of, 'due') }
    return { affiliateId, email, firstName, language, month: name, ...sums }
  })
}
