import { type SqlDatabase, type SqlTransaction, sqlOf, sqlWithin } from '../../../database/sql.ts'
import { withSqlTransaction, withTransaction } from '../../../database/transaction.ts'
import { writeTogether } from '../../../database/write.ts'
import type { Commission, Prisma, Sale } from '../../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../../kernel/context.ts'
import type { Problem } from '../../../kernel/errors.ts'
import { idSpellings } from '../../../kernel/imported-ids.ts'
import { needsOneOf, parseInput } from '../../../kernel/input/parse.ts'
import { newCustomer } from '../../customers/service.ts'
import type { Locks } from '../../referrals/lock.ts'
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
 * What the decision depends on is locked first. If the report does not say what that is, the facts are read and the sale is
 * decided on them, to know it. The transaction locks, reads the facts, decides, and writes everything in one statement.
 *
 * @throws INVALID_INPUT; REFUSED if no active affiliate matches the sale
 */
export async function reportConversion(ctx: ProgramCtx, raw: unknown): Promise<Conversion> {
  const report = await readReport(ctx, raw)
  if ('duplicate' in report) return report
  try {
    const locks = locksOf(ctx, report)
    return await withSqlTransaction(ctx.db, (tx) => attributeAndRecord(ctx, tx, report.input, locks))
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
  const locks = locksOf(ctx, report)
  const rollback: { result?: Conversion & { rows: T } } = {}
  await withTransaction(ctx.db, async (tx) => {
    const conversion = await attributeAndRecord(ctx, sqlWithin(tx), report.input, locks)
    rollback.result = { ...conversion, rows: await read(tx, conversion.saleId) }
    throw rollback
  }).catch((error) => {
    if (error !== rollback) throw error
  })
  return rollback.result as Conversion & { rows: T }
}

/** A valid report, and the facts that say what to lock; null if the report says it itself. */
type Report = { input: ConversionInput; facts: SaleFacts | null }

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
  // Without an e-mail, only the sale and the referral are locked. Their ids are in the report.
  if (ownReferralId(input) !== null && !input.email) return { input, facts: null }
  const facts = await readFacts(ctx, sql, input)
  return facts.saleId === null ? { input, facts } : { duplicate: true, saleId: facts.saleId }
}

/** The id of the referral, if the report has it and not that of another server. */
const ownReferralId = ({ referralId }: ConversionInput) => idSpellings(referralId ?? '').ownId

const occurredAt = (ctx: ProgramCtx, input: ConversionInput) => input.occurredAt ?? ctx.now()

const readFacts = (ctx: ProgramCtx, sql: Pick<SqlDatabase, 'textRows'>, input: ConversionInput): Promise<SaleFacts> =>
  readSaleFacts(sql, {
    ...input,
    programId: ctx.program.id,
    externalId: input.externalId ?? null,
    occurredAt: occurredAt(ctx, input),
  })

/** @throws NoMatch */
const attributeReport = (ctx: ProgramCtx, input: ConversionInput, facts: SaleFacts): Attribution =>
  attribute({ ...input, occurredAt: occurredAt(ctx, input) }, facts)

/**
 * What the decision depends on, as far as it is known before anything is locked.
 *
 * @throws NoMatch
 */
function locksOf(ctx: ProgramCtx, { input, facts }: Report): Locks {
  const programId = ctx.program.id
  const { email, customerName: name, externalId } = input
  if (!facts) return { programId, externalId, referralId: ownReferralId(input) }
  const { referral } = attributeReport(ctx, input, facts)
  const newcomer = email ? newCustomer(programId, { email, name }, ctx.now()) : null
  return { programId, externalId, customer: facts.customer?.id ?? newcomer, referralId: referral?.id }
}

async function attributeAndRecord(
  ctx: ProgramCtx,
  tx: SqlTransaction,
  input: ConversionInput,
  locks: Locks,
): Promise<Conversion> {
  const { customerName = null, externalId = null, billingCustomerId = null, amountCents } = input
  const { facts, attribution } = await decideLocked(tx, locks, async () => {
    const facts = await readFacts(ctx, tx, input)
    return { facts, attribution: facts.saleId === null ? attributeReport(ctx, input, facts) : null }
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
