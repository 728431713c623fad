import { withTransaction } from '../../database/client/transaction.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import type { AppDb } from '../../kernel/db.ts'
import { groupBy } from '../../kernel/group-by.ts'
import { mailLanguage, mailLocale } from './compose.ts'
import type { ManagerMail } from './managers.ts'
import { queueMails } from './queue.ts'
import { writtenMonth, writtenSum } from './template-values.ts'
import { type Addressee, mailToAffiliate } from './to-affiliate.ts'

type Month = { id: string; month: string; mailedTo: string | null }
/** What one statement ends with. */
type Row = Addressee & { currency: string; cents: bigint }

/** A batch is a transaction. */
const batchSize = 500

/** Whether affiliates of the program `p` have statements of a closed month that they have no mail about. */
export const hasClosedMonths = Prisma.sql`exists (
  select from statement_months where program_id = p.id and closed_at is not null and mailed_at is null)`

/**
 * Mails closed months to the affiliates who have a statement of them: one mail for all currencies. Each gets it once,
 * whichever instance writes it. The PDFs are made when the mail is sent.
 */
export async function writeClosedMonths(db: AppDb, scope: ManagerMail & { now: Date }): Promise<void> {
  while (await writeBatch(db, scope));
}

/** @returns whether more may follow */
const writeBatch = (db: AppDb, scope: ManagerMail & { now: Date }): Promise<boolean> =>
  withTransaction(db, async (tx) => {
    const { program, now } = scope
    const programId = program.id
    const [month] = await tx.$queryRaw<Month[]>`
      select id::text, month, mailed_to::text as "mailedTo" from statement_months
      where program_id = ${programId}::uuid and closed_at is not null and mailed_at is null
      order by number limit 1 for no key update skip locked`
    if (!month) return false
    const ids = await readNext(tx, programId, month)
    const byAffiliate = groupBy(await readClosings(tx, programId, month, ids), ({ affiliateId }) => affiliateId)
    const mails = [...byAffiliate.values()].map((rows) => mailOf(scope, month, rows))
    await queueMails(tx, { program }, mails, now)
    const last = ids.at(-1)
    const data = ids.length < batchSize || last === undefined ? { mailedAt: now } : { mailedTo: last }
    await tx.statementMonth.update({ where: { programId_id: { programId, id: month.id } }, data })
    return true
  })

/** The next affiliates with a statement of the month, whether they get a mail or not. */
async function readNext(tx: Prisma.TransactionClient, programId: string, { id, mailedTo }: Month): Promise<string[]> {
  const rows = await tx.$queryRaw<{ id: string }[]>`
    select distinct affiliate_id::text as id from statements
    where program_id = ${programId}::uuid and month_id = ${id}::uuid
      and (${mailedTo}::uuid is null or affiliate_id > ${mailedTo}::uuid)
    order by 1 limit ${batchSize}`
  return rows.map((row) => row.id)
}

const readClosings = (tx: Prisma.TransactionClient, programId: string, { id }: Month, ids: readonly string[]) =>
  tx.$queryRaw<Row[]>`
    select a.id::text as "affiliateId", a.email, a.first_name as "firstName", a.language, s.currency,
      s.closing_cents as cents
    from statements s
      join affiliates a on a.program_id = s.program_id and a.id = s.affiliate_id
      left join mail_choices m on m.program_id = a.program_id and m.affiliate_id = a.id
    where s.program_id = ${programId}::uuid and s.month_id = ${id}::uuid and s.affiliate_id = any (${ids}::uuid[])
      and a.state = 'active' and coalesce(m.gets_statement_mails, true)
    order by a.id, s.currency`

function mailOf(scope: ManagerMail, { id, month }: Month, rows: readonly Row[]) {
  const { program } = scope
  const [row] = rows as [Row]
  const locale = mailLocale(program, mailLanguage(program, row.language))
  const values = { month: writtenMonth(month, locale), owed: writtenSum(rows, program, locale) }
  return { ...mailToAffiliate(scope, 'month_closed', row, values), statementMonthId: id }
}
