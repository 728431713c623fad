import { type Sql, sqlOf, sqlWithin } from '../../../database/sql.ts'
import { withSqlTransaction, withTransaction } from '../../../database/transaction.ts'
import { writeTogether } from '../../../database/write.ts'
import type { Commission, Prisma, Sale } from '../../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../../kernel/context.ts'
import type { Problem } from '../../../kernel/errors.ts'
import { needsOneOf, parseInput } from '../../../kernel/input/parse.ts'
import { newCustomer } from '../../customers/service.ts'
import { keepUnattributedSale } from '../unattributed/keep.ts'
import { type Attribution, attribute, NoMatch } from './attribute.ts'
import { readSaleFacts, type SaleFacts } from './facts.ts'
import { type ConversionInput, reportConversionInput } from './input.ts'
import { recordSale } from './record.ts'
import { decideLocked, findSaleId } from './sale-transaction.ts'

/** `recorded` has the rows of a sale that was recorded now; a sale that was reported before has to be read. */
export type Conversion = {
  duplicate: boolean
  saleId: string
  recorded?: { sale: Sale; commission: Commission | null }
}

const signals = ['referralId', 'email', 'coupon'] as const
const noSignal: Problem = { message: 'At least one of referral_id, email, coupon must be provided.' }

/**
 * Records a sale and the commission it earns in one transaction. If the external id is known, returns the sale that was
 * recorded first and ignores the rest of the input. A sale that matches no active affiliate is kept for 90 days, so that it
 * can be attributed by hand.
 *
 * The facts are read, and the sale is decided on them. Then the transaction locks what the decision depends on, reads and
 * decides again, and writes everything in one statement.
 *
 * @throws INVALID_INPUT; REFUSED if no active affiliate matches the sale
 */
export async function reportConversion(ctx: ProgramCtx, raw: unknown): Promise<Conversion> {
  const report = await readReport(ctx, raw)
  if ('duplicate' in report) return report
  try {
    const expected = attributeReport(ctx, report)
    return await withSqlTransaction(ctx.db, (tx) => attributeAndRecord(ctx, tx, report, expected))
  } catch (error) {
    if (error instanceof NoMatch) await keepUnattributedSale(ctx, report.input, error.signals)
    throw error
  }
}

/**
 * A dry run of `reportConversion`: records the sale, reads the result with `read`, and rolls back.
 *
 * @throws INVALID_INPUT; REFUSED if no active affiliate matches the sale
 */
export async function simulateConversion<T>(
  ctx: ProgramCtx,
  raw: unknown,
  read: (db: Prisma.TransactionClient, saleId: string) => Promise<T>,
): Promise<Conversion & { rows: T }> {
  const report = await readReport(ctx, raw)
  if ('duplicate' in report) return { ...report, rows: await read(ctx.db, report.saleId) }
  const expected = attributeReport(ctx, report)
  const rollback: { result?: Conversion & { rows: T } } = {}
  await withTransaction(ctx.db, async (tx) => {
    const conversion = await attributeAndRecord(ctx, sqlWithin(tx), report, expected)
    rollback.result = { ...conversion, rows: await read(tx, conversion.saleId) }
    throw rollback
  }).catch((error) => {
    if (error !== rollback) throw error
  })
  return rollback.result as Conversion & { rows: T }
}

/** A valid report of a sale that is not recorded yet, and the facts about it. */
type Report = { input: ConversionInput; facts: SaleFacts }

/** The rest of a repeated report is ignored, even if it is invalid. */
async function readReport(ctx: ProgramCtx, raw: unknown): Promise<Report | Conversion> {
  const sql = sqlOf(ctx.db)
  let input: ConversionInput
  try {
    input = await parseInput(reportConversionInput, raw, needsOneOf(signals, noSignal))
  } catch (error) {
    const { externalId } = (raw ?? {}) as { externalId?: unknown }
    const id = reportConversionInput.shape.externalId.safeParse(externalId).data
    const saleId = id === undefined ? null : await findSaleId(sql, ctx.program.id, id)
    if (saleId === null) throw error
    return { duplicate: true, saleId }
  }
  const facts = await readFacts(ctx, sql, input)
  return facts.saleId === null ? { input, facts } : { duplicate: true, saleId: facts.saleId }
}

const occurredAt = (ctx: ProgramCtx, input: ConversionInput) => input.occurredAt ?? ctx.now()

const readFacts = (ctx: ProgramCtx, sql: Sql, input: ConversionInput): Promise<SaleFacts> =>
  readSaleFacts(sql, {
    ...input,
    programId: ctx.program.id,
    externalId: input.externalId ?? null,
    occurredAt: occurredAt(ctx, input),
  })

/** @throws NoMatch */
const attributeReport = (ctx: ProgramCtx, { input, facts }: Report): Attribution =>
  attribute({ ...input, occurredAt: occurredAt(ctx, input) }, facts)

/** @param expected the attribution before anything was locked, which says what to lock */
async function attributeAndRecord(
  ctx: ProgramCtx,
  tx: Sql,
  { input, facts: before }: Report,
  expected: Attribution,
): Promise<Conversion> {
  const programId = ctx.program.id
  const { email, customerName = null, externalId = null, billingCustomerId = null, amountCents } = input
  const newcomer = email ? newCustomer(programId, { email, name: customerName }, ctx.now()) : null
  const customer = before.customer?.id ?? newcomer
  const locks = { programId, externalId, customer, referralId: expected.referral?.id }
  const { facts, attribution } = await decideLocked(tx, locks, async () => {
    const facts = await readFacts(ctx, tx, input)
    return { facts, attribution: facts.saleId === null ? attributeReport(ctx, { input, facts }) : null }
  })
  if (!attribution) return { duplicate: true, saleId: facts.saleId as string }
  const sale = {
    externalId,
    customerName,
    billingCustomerId,
    amountCents,
    currency: input.currency ?? ctx.program.currency,
    occurredAt: occurredAt(ctx, input),
  }
  const { writes, ...recorded } = recordSale(ctx, sale, facts, attribution, ctx.now())
  await writeTogether(tx, writes)
  return { duplicate: false, saleId: recorded.sale.id, recorded }
}
