import { withTransaction } from '../../database/client/transaction.ts'
import type { StatementMonth } from '../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import { encryptSecret } from '../../kernel/encryption.ts'
import { invalid } from '../../kernel/errors.ts'
import { parseInput, problem } from '../../kernel/input/parse.ts'
import { findAffiliate } from '../affiliates/find.ts'
import { lockAffiliates } from '../payouts/settle.ts'
import { refuseInShadow } from '../programs/shadow.ts'
import { decryptTaxId, type KeyCtx } from '../tax/tax-ids.ts'
import { type Company, type Draft, draftsOf, type Missing, type OfStatement, readCompany } from './drafts.ts'
import { createInvoicesInput } from './input.ts'
import { supplierOf } from './parties.ts'
import { lockSeries } from './series.ts'
import { boundTo } from './supplier-tax-id.ts'
import { amountsOf } from './vat/amounts.ts'
import { notesOf } from './vat/words.ts'
import { mintInvoiceId, type Unnumbered, writeInvoice } from './write.ts'

/** How long it may take in a request. What is left then is made by another call. */
const creatingMs = 120_000
const sliceSize = 250

type Made = { monthId: string; affiliateId: string | undefined; missing: Missing[] }

/**
 * Makes the invoices of a closed month: one for each statement that earned something, if the affiliate has agreed to
 * self-billing and has signed a tax profile. A statement of a negative sum becomes a credit note. Each is in a
 * transaction of its own. Idempotent.
 * @returns what is missing
 * @throws INVALID_INPUT; NOT_FOUND; REFUSED in a shadow, or if the program lacks its address or its text
 */
export async function createInvoices(ctx: KeyCtx, raw: unknown): Promise<Made> {
  refuseInShadow(ctx.program)
  const { month, affiliateId } = await parseInput(createInvoicesInput, raw)
  const closed = await closedMonth(ctx, month)
  if (affiliateId !== undefined) await findAffiliate(ctx, affiliateId)
  ctx.db.deadline?.extend(creatingMs)
  const company = await readCompany(ctx.db, ctx.program.id)
  const found = await readMissing(ctx, closed, company, affiliateId)
  const missing: Missing[] = []
  for (const one of found) {
    const isWanted = one.reason === 'ready' || (one.reason === 'cancelled' && affiliateId !== undefined)
    if (isWanted) await createOne(ctx, one.statement, company, one.reason)
    else missing.push(one)
  }
  return { monthId: closed.id, affiliateId, missing }
}

/** @throws INVALID_INPUT if the month is not closed */
export async function closedMonth({ db, program }: ProgramCtx, month: string): Promise<StatementMonth> {
  const found = await db.statementMonth.findUnique({ where: { programId_month: { programId: program.id, month } } })
  if (!found?.closedAt) throw invalid([problem('month', 'is not closed. Close it with closeMonth first')])
  return found
}

/** The statements of a month that earned something and have no invoice, by the id of the affiliate. */
export async function readMissing(
  { db, program }: ProgramCtx,
  { id: monthId }: StatementMonth,
  company: Company,
  affiliateId?: string,
): Promise<Missing[]> {
  const where = { programId: program.id, monthId, ...(affiliateId !== undefined && { affiliateId }) }
  const found: Missing[] = []
  const select = { id: true, index: true, affiliateId: true, currency: true, month: true, lines: true } as const
  for (let index = 0; ; index += sliceSize) {
    const statements = await db.statement.findMany({
      where: { ...where, index: { gte: index, lt: index + sliceSize } },
      orderBy: { index: 'asc' },
      select,
    })
    found.push(...(await draftsOf(db, program.id, statements, company)))
    const more = await db.statement.findFirst({
      where: { ...where, index: { gte: index + sliceSize } },
      select: { id: true },
    })
    if (!more) return found
  }
}

/** Locks the affiliate and drafts again: another request may have made the invoice meanwhile. */
async function createOne(
  ctx: KeyCtx,
  statement: OfStatement,
  company: Company,
  reason: Missing['reason'],
): Promise<void> {
  const programId = ctx.program.id
  await withTransaction(
    ctx.db,
    async (tx) => {
      await lockSeries(tx, ctx.program, ctx.now())
      await lockAffiliates(tx, programId, [statement.affiliateId])
      const [found] = await draftsOf(tx, programId, [statement], company)
      if (!found?.draft || found.reason !== reason) return
      const { draft } = found
      const isIncluded = isVatIncluded(draft, company)
      const { numberPrefix } = company.settings
      await writeInvoice(tx, ctx, invoiceOf(ctx, draft, company, isIncluded), { numberPrefix, paysVat: !isIncluded })
    },
    { log: ctx.log },
  )
}

/** A credit note is taxed as what it corrects. */
const isVatIncluded = ({ corrects }: Draft, { settings }: Company): boolean =>
  corrects && corrects.vatCents !== 0n ? corrects.vatCommissionId === null : settings.isVatIncluded

function invoiceOf(ctx: KeyCtx, draft: Draft, { buyer, settings }: Company, isIncluded: boolean): Unnumbered {
  const { statement, profile, vat, corrects } = draft
  const id = mintInvoiceId(ctx)
  const { key } = ctx.webhooks
  const taxId = profile.vatId === null ? decryptTaxId(key, profile, 'taxId') : null
  return {
    id,
    kind: draft.cents < 0n ? 'credit_note' : 'invoice',
    affiliateId: statement.affiliateId,
    statementId: statement.id,
    edition: draft.edition,
    month: statement.month,
    currency: statement.currency,
    ...amountsOf(draft.cents, vat.basisPoints, isIncluded),
    vatTreatment: vat.treatment,
    vatBasisPoints: vat.basisPoints,
    supplier: supplierOf(profile),
    buyer,
    supplierTaxId: taxId && encryptSecret(key, boundTo({ programId: ctx.program.id, id }), taxId),
    lines: draft.lines,
    notes: notesOf(vat.treatment, { supplier: profile.country, buyer: buyer.country }, settings.words),
    agreementVersion: draft.agreementVersion,
    correctsId: corrects?.id ?? null,
    isCancellation: false,
    reason: null,
  }
}

export const missingInvoicesOf = async (ctx: ProgramCtx, month: string): Promise<Missing[]> => {
  const closed = await closedMonth(ctx, month)
  return readMissing(ctx, closed, await readCompany(ctx.db, ctx.program.id))
}
