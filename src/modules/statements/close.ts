import { sqlWithin } from '../../database/client/sql.ts'
import { withTransaction } from '../../database/client/transaction.ts'
import type { Prisma, StatementMonth } from '../../generated/prisma/client.ts'
import { invalid, refused } from '../../kernel/errors.ts'
import { mintId } from '../../kernel/ids.ts'
import { parseInput, problem } from '../../kernel/input/parse.ts'
import { eventsOf, recordEvents } from '../events/record.ts'
import { recordAction } from '../history/record.ts'
import { refuseInShadow } from '../programs/shadow.ts'
import { treeOf } from './hashes.ts'
import { closeMonthInput } from './input.ts'
import { type KeyCtx, sealWith, signingKey } from './keys.ts'
import { isMonth, monthAfter, monthAt, spanOf } from './months.ts'
import { openOf, reconcileWith } from './reconcile.ts'
import { sealedText } from './seal.ts'
import { writeStatements } from './write-statements.ts'

/** How long closing may take in a request. What is left then is done in the background. */
const closingMs = 120_000

/**
 * Closes a month: writes a statement of each affiliate and currency that something was booked for, or that was owed
 * something, and signs all of them together. Months are closed in order, once they are over. Idempotent.
 * @returns the id of the month
 * @throws INVALID_INPUT; REFUSED in a shadow, and while a difference is not accepted
 */
export async function closeMonth(ctx: KeyCtx, raw: unknown): Promise<string> {
  refuseInShadow(ctx.program)
  const { month } = await parseInput(closeMonthInput, raw, ({ month: given }) =>
    given === undefined || isMonth(given) ? [] : [problem('month', 'must be a month such as 2026-10')],
  )
  ctx.db.deadline?.extend(closingMs)
  const { id } = await beginMonth(ctx, month)
  await finishMonth(ctx, id)
  return id
}

/** Writes what is left of a month that is being closed, and signs it. Any number of instances may do it. */
export async function finishMonth(ctx: KeyCtx, id: string): Promise<void> {
  const isOpen = async (tx: Prisma.TransactionClient) => {
    const row = await lockedMonth(tx, ctx.program.id, id)
    return row.closedAt === null ? row : null
  }
  const key = await signingKey(ctx)
  for (let isMore = true; isMore; )
    isMore = await withTransaction(
      ctx.db,
      async (tx) => {
        const row = await isOpen(tx)
        return row !== null && (await writeStatements(ctx, tx, row))
      },
      { isLong: true, log: ctx.log },
    )
  await withTransaction(
    ctx.db,
    async (tx) => {
      const row = await isOpen(tx)
      if (row) await sealMonth(ctx, tx, row, key)
    },
    { isLong: true, log: ctx.log },
  )
}

async function lockedMonth(tx: Prisma.TransactionClient, programId: string, id: string): Promise<StatementMonth> {
  await tx.$queryRaw`
    select 1 from statement_months where program_id = ${programId}::uuid and id = ${id}::uuid for no key update`
  return tx.statementMonth.findUniqueOrThrow({ where: { programId_id: { programId, id } } })
}

/**
 * From here on, everything that is recorded is booked in a later month. The lock of the program waits for the
 * transactions that have recorded something and are not committed: see prisma/sql/statements.sql.
 */
async function beginMonth(ctx: KeyCtx, month: string): Promise<StatementMonth> {
  const { program, actor } = ctx
  const programId = program.id
  return withTransaction(ctx.db, async (tx) => {
    await tx.$queryRaw`select 1 from programs where id = ${programId}::uuid for update`
    const known = await tx.statementMonth.findUnique({ where: { programId_month: { programId, month } } })
    if (known) return known
    const last = await tx.statementMonth.findFirst({ where: { programId }, orderBy: { number: 'desc' } })
    const now = ctx.now()
    const { fromAt, untilAt } = spanOf(month, program.timeZone)
    const said = problemOf(month, last, monthAt(program.createdAt, program.timeZone))
    if (said) throw invalid([problem('month', said)])
    if (untilAt > now) throw invalid([problem('month', 'is not over yet: a month is closed after its end')])
    if (last && last.closedAt === null) throw refused(`${last.month} is still being closed. Try again in a minute.`)
    // No moment is in two months, or in none: the program may have another time zone by now.
    const span = { month, fromAt: last?.untilAt ?? fromAt, untilAt }
    // Here nothing can be recorded meanwhile.
    const open = openOf(await reconcileWith(sqlWithin(tx), programId, span)).length
    if (open > 0) throw refused(differencesText(month, open))
    const { kind } = actor
    const row = {
      ...span,
      programId,
      id: mintId(now),
      number: (last?.number ?? 0) + 1,
      timeZone: program.timeZone,
      beganAt: now,
      beganByKind: kind,
      beganById: 'id' in actor ? actor.id : null,
    }
    return tx.statementMonth.create({ data: row })
  })
}

const differencesText = (month: string, open: number) =>
  `${month} has ${open === 1 ? 'a difference' : `${open} differences`} between the billing systems, the ledger and the payments that nobody has accepted. Read reconciliation(month: "${month}"), then mend what differs, or accept it with acceptReconciliation.`

function problemOf(month: string, last: StatementMonth | null, first: string): string | null {
  if (last && month > monthAfter(last.month))
    return `must come after ${monthAfter(last.month)}, which is not closed yet`
  if (last && month <= last.month) return `is before ${last.month}, which is closed: months are closed in order`
  return month < first ? `is before the program: its first month is ${first}` : null
}

/** How many statements one update places in the tree. */
const slice = 1_000

async function sealMonth(
  ctx: KeyCtx,
  tx: Prisma.TransactionClient,
  row: StatementMonth,
  key: Awaited<ReturnType<typeof signingKey>>,
): Promise<void> {
  const { programId, id } = row
  const now = ctx.now()
  const of = { programId, monthId: id }
  const orderBy = [{ affiliateId: 'asc' as const }, { currency: 'asc' as const }]
  const statements = await tx.statement.findMany({ where: of, orderBy, select: { id: true, hash: true } })
  const { root, paths } = treeOf(statements.map(({ hash }) => hash))
  const placed = statements.map((statement, index) => ({ id: statement.id, index, path: paths[index] }))
  for (let from = 0; from < placed.length; from += slice)
    await tx.$executeRaw`
      update statements s set index = n.index, path = n.path
      from jsonb_to_recordset(${JSON.stringify(placed.slice(from, from + slice))}::jsonb) as n (id uuid, index int, path jsonb)
      where s.program_id = ${programId}::uuid and s.id = n.id`
  const before = await tx.statementMonth.findFirst({ where: { programId, number: row.number - 1 } })
  const payload = sealedText(ctx.program, { ...row, count: placed.length, root, closedAt: now }, before?.seal ?? null)
  const sealed = { closedAt: now, count: placed.length, root, keyId: key.id, seal: sealWith(key, payload) }
  const after = await tx.statementMonth.update({ where: { programId_id: { programId, id } }, data: sealed })
  const { data, ...what } = { subject: 'statement_month', subjectId: id, action: 'closed', data: after } as const
  await recordAction(tx, ctx, what, null, data, now)
  await recordEvents(tx, ctx, eventsOf(id, ['statements.closed']), now)
}
