import { sqlWithin } from '../../database/client/sql.ts'
import { withSqlTransaction, withTransaction } from '../../database/client/transaction.ts'
import type { Commission, Prisma, Sale } from '../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import type { SqlDatabase, SqlTransaction } from '../../kernel/db.ts'
import { idSpellings } from '../../kernel/imported-ids.ts'
import { newCustomer } from '../customers/service.ts'
import { decideLocked, type Locks, lockExternalIds } from '../referrals/lock.ts'
import { insertAliasesOf } from './aliases.ts'
import type { DroppedField } from './decision.ts'
import { applyWaitingRefunds } from './refunds/waiting.ts'
import { type Attribution, attribute, Unattributed } from './report/attribute.ts'
import { differencesOf } from './report/differences.ts'
import { findKnownSale, readSaleFacts } from './report/facts.ts'
import { type ConversionInput, reportConversionInput } from './report/input.ts'
import { keepUnattributedSale } from './report/keep-unattributed.ts'
import { type ReadReport, readReport, type SignallessReport } from './report/read-report.ts'
import type { KnownSale, SaleFacts } from './signals/sale-facts.ts'
import { NeedsClient, type Transaction, writeSale } from './timeline/write.ts'

/** `recorded` has the rows of a sale that was recorded now; a sale that was reported before has to be read. */
export type Conversion = {
  duplicate: boolean
  saleId: string
  /** How a repeated report differs from the recorded sale, as sentences. */
  differences: string[]
  recorded?: { sale: Sale; commission: Commission | null }
}

type ReportOptions = { keepsUnattributed?: boolean; dropped?: readonly DroppedField[] } & Pick<
  ReadReport,
  'feed' | 'aliases'
>

/**
 * Records a sale and the commission it earns in one transaction. A known external id returns the first sale. A sale
 * without a usable signal, or that matches no active affiliate, is kept for 90 days, so that it can be attributed by
 * hand. If the report does not say what to lock, the facts are read first to know it. The transaction locks, reads the
 * facts, decides, and writes everything in one statement.
 * @param dropped what the caller has left out of the report
 * @param feed what a feed said, so that it can change the sale later
 * @param aliases other ids of the same payment: a report with one of them is of this sale
 * @param keepsUnattributed a feed reports all sales of a company, also those that no affiliate brought
 * @throws INVALID_INPUT; REFUSED if no active affiliate matches the sale
 */
export async function reportConversion(
  ctx: ProgramCtx,
  raw: unknown,
  { keepsUnattributed = true, dropped = [], feed, aliases = [] }: ReportOptions = {},
): Promise<Conversion> {
  const report = await readNewReport(ctx, raw)
  if ('duplicate' in report) return report
  report.dropped.push(...dropped)
  if (feed) report.feed = feed
  report.aliases = aliases
  try {
    const facts = await readEarlyFacts(ctx, report)
    if (facts?.sale) return repeated(facts.sale, raw)
    const locks = locksOf(ctx, report, facts)
    return await recordOnce(ctx, report, raw, locks)
  } catch (error) {
    if (error instanceof Unattributed && keepsUnattributed) await keepUnattributedSale(ctx, report, raw, error.signals)
    throw error
  }
}

/** A dry run of `reportConversion`: reads the result with `read`, and rolls back. @throws as `reportConversion` */
export async function simulateConversion<T>(
  ctx: ProgramCtx,
  raw: unknown,
  read: (db: Prisma.TransactionClient, saleId: string) => Promise<T>,
): Promise<Conversion & { rows: T }> {
  const report = await readNewReport(ctx, raw)
  if ('duplicate' in report) return { ...report, rows: await read(ctx.db, report.saleId) }
  const facts = await readEarlyFacts(ctx, report)
  if (facts?.sale) return { ...repeated(facts.sale, raw), rows: await read(ctx.db, facts.sale.id) }
  const locks = locksOf(ctx, report, facts)
  const rollback: { result?: Conversion & { rows: T } } = {}
  await withTransaction(ctx.db, async (tx) => {
    const conversion = await recordWithRefunds(ctx, tx, report, raw, locks)
    rollback.result = { ...conversion, rows: await read(tx, conversion.saleId) }
    throw rollback
  }).catch((error) => {
    if (error !== rollback) throw error
  })
  return rollback.result as Conversion & { rows: T }
}

const repeated = (sale: KnownSale, raw: unknown): Conversion => ({
  duplicate: true,
  saleId: sale.id,
  differences: differencesOf(sale, raw),
})

/** The rest of a repeated report is ignored, even if it is invalid. @throws INVALID_INPUT */
async function readNewReport(ctx: ProgramCtx, raw: unknown): Promise<ReadReport | SignallessReport | Conversion> {
  let report: ReadReport | SignallessReport | { error: unknown }
  try {
    report = readReport(raw, ctx.now(), ctx.program)
  } catch (error) {
    report = { error }
  }
  if (!('error' in report)) return report
  const { externalId } = (raw ?? {}) as { externalId?: unknown }
  const id = reportConversionInput.shape.externalId.safeParse(externalId).data
  const sale = id === undefined ? null : await findKnownSale(ctx.db.sql, ctx.program.id, id)
  if (sale) return repeated(sale, raw)
  if ('signals' in report) return report
  throw report.error
}

/** The id of the referral, if the report has it and not that of another server. */
const ownReferralId = ({ referralId }: ConversionInput) => idSpellings(referralId ?? '').ownId

type ReportFacts = SaleFacts & { occurredAt: Date }

/** The facts that say what to lock; null if the report says it itself. @throws Unattributed without a usable signal */
async function readEarlyFacts(ctx: ProgramCtx, report: ReadReport | SignallessReport): Promise<ReportFacts | null> {
  if ('signals' in report) throw new Unattributed(report.signals, report.error)
  // Without an e-mail, only the sale and the referral are locked. Their ids are in the report.
  if (ownReferralId(report.input) !== null && !report.input.email) return null
  return readFacts(ctx, ctx.db.sql, report.input)
}

/**
 * A sale that is reported again after it was kept, without a time, still occurred when it was first reported. What a
 * feed says does not count here: it may also come after the report.
 */
async function readFacts(
  ctx: ProgramCtx,
  sql: Pick<SqlDatabase, 'textRows'>,
  input: ConversionInput,
): Promise<ReportFacts> {
  const readAt = async (occurredAt: Date) => {
    const sale = { ...input, programId: ctx.program.id, externalId: input.externalId ?? null, occurredAt }
    return { ...(await readSaleFacts(sql, sale)), occurredAt }
  }
  const facts = await readAt(input.occurredAt ?? ctx.now())
  const keptAt = facts.kept?.occurredAt
  return input.occurredAt || !keptAt ? facts : readAt(keptAt)
}

/** @throws Unattributed */
const attributeReport = ({ input, dropped, feed }: ReadReport, facts: ReportFacts): Attribution =>
  attribute({ ...input, dropped, feed, occurredAt: facts.occurredAt }, facts)

/** What the decision depends on, as far as it is known before locking. @throws Unattributed */
function locksOf(ctx: ProgramCtx, report: ReadReport, facts: ReportFacts | null): Locks {
  const programId = ctx.program.id
  const { email, customerName: name, externalId } = report.input
  if (!facts) return { programId, externalId, referralId: ownReferralId(report.input) }
  const { referral } = attributeReport(report, facts)
  const newcomer = email ? newCustomer(programId, { email, name }, ctx.now()) : null
  return { programId, externalId, customer: facts.customer?.id ?? newcomer, referralId: referral?.id }
}

/** Records a sale in the short transaction; if refunds wait for it, or later sales follow from it, in a longer one. */
async function recordOnce(ctx: ProgramCtx, report: ReadReport, raw: unknown, locks: Locks): Promise<Conversion> {
  try {
    return await withSqlTransaction(ctx.db, (tx) =>
      attributeAndRecord(ctx, { sql: tx, client: null }, report, raw, locks),
    )
  } catch (error) {
    if (!(error instanceof NeedsClient)) throw error
    return withTransaction(ctx.db, (tx) => recordWithRefunds(ctx, tx, report, raw, locks))
  }
}

/** Records a sale, and the refunds that wait for it. */
async function recordWithRefunds(
  ctx: ProgramCtx,
  tx: Prisma.TransactionClient,
  report: ReadReport,
  raw: unknown,
  locks: Locks,
): Promise<Conversion> {
  const { hasRefunds, ...conversion } = await attributeAndRecord(
    ctx,
    { sql: sqlWithin(tx), client: tx },
    report,
    raw,
    locks,
  )
  if (!hasRefunds) return conversion
  await applyWaitingRefunds(ctx, tx, [report.input.externalId ?? [], report.aliases ?? []].flat())
  const { duplicate, saleId, differences } = conversion
  return { duplicate, saleId, differences }
}

/** Locks all ids of a payment, and finds a sale that was recorded with one of the others. */
async function findLocked(
  sql: SqlTransaction,
  programId: string,
  aliases: readonly string[],
  externalId: string | null,
): Promise<KnownSale | null> {
  if (aliases.length === 0) return null
  await lockExternalIds(sql, programId, externalId === null ? aliases : [externalId, ...aliases])
  return findKnownSale(sql, programId, ...aliases)
}

/** The caller records the waiting refunds. @throws Unattributed; NeedsClient */
async function attributeAndRecord(
  ctx: ProgramCtx,
  tx: Transaction,
  report: ReadReport,
  raw: unknown,
  locks: Locks,
): Promise<Conversion & { hasRefunds?: boolean }> {
  const { customerName = null, externalId = null, billingCustomerId = null, amountCents, currency } = report.input
  const { aliases = [] } = report
  const twin = await findLocked(tx.sql, ctx.program.id, aliases, externalId)
  if (twin) return repeated(twin, raw)
  const { facts, attribution } = await decideLocked(tx.sql, locks, async () => {
    const facts = await readFacts(ctx, tx.sql, report.input)
    return { facts, attribution: facts.sale ? null : attributeReport(report, facts) }
  })
  if (!attribution) return repeated(facts.sale as KnownSale, raw)
  if (facts.hasWaitingRefunds && !tx.client) throw new NeedsClient()
  const { occurredAt } = facts
  const sale = {
    externalId,
    customerName,
    billingCustomerId,
    amountCents,
    currency: currency ?? ctx.program.currency,
    billingInterval: report.input.billingInterval ?? null,
    paymentNumber: report.input.paymentNumber ?? null,
    items: report.input.items,
    occurredAt,
    isTimed: report.input.occurredAt !== undefined,
  }
  const given = { ...sale, coupons: report.input.coupon ?? [] }
  const recorded = await writeSale(ctx, tx, given, facts, attribution)
  const [noted] = aliases.length > 0 ? await insertAliasesOf(tx.sql, recorded.sale, aliases) : []
  if (noted?.hasWaitingRefunds && !tx.client) throw new NeedsClient()
  const hasRefunds = facts.hasWaitingRefunds || noted?.hasWaitingRefunds
  return { duplicate: false, saleId: recorded.sale.id, differences: [], recorded, hasRefunds }
}
