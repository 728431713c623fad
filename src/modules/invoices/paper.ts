import { withTransaction } from '../../database/client/transaction.ts'
import type { Invoice, Prisma } from '../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import { parseInput } from '../../kernel/input/parse.ts'
import { recordAction } from '../history/record.ts'
import { mailLanguage, mailLocale } from '../mails/compose.ts'
import { endingOf, type KeyCtx, masked } from '../tax/tax-ids.ts'
import { findInvoice } from './find.ts'
import { readInvoicePdfInput } from './input.ts'
import { readSupplierTaxId, supplierTaxIdOf } from './supplier-tax-id.ts'

/** What an invoice needs for its paper, beside itself. */
export const withPaper = {
  program: { select: { name: true, isSandbox: true, locale: true } },
  affiliate: { select: { language: true } },
  statement: { select: { number: true } },
} as const

type Beside = Prisma.InvoiceGetPayload<{ select: typeof withPaper }>

/** What a credit note corrects. */
export type Corrected = Pick<Invoice, 'id' | 'number' | 'issuedOn'>

/** @throws NOT_FOUND */
export async function findPrinted(ctx: ProgramCtx, id: string) {
  return (await findInvoice(ctx, id, { include: withPaper })) as Invoice & Beside
}

export const findCorrected = async (ctx: ProgramCtx, { correctsId }: Invoice): Promise<Corrected | null> =>
  correctsId === null ? null : findInvoice(ctx, correctsId)

/**
 * The invoice on paper, in the language of the affiliate. The library and the fonts are loaded with the first one.
 * @param showsTaxId whether the tax id of the affiliate is written in full, and not only its end
 */
export async function pdfOfInvoice(
  key: Buffer,
  { program, affiliate, ...invoice }: Invoice & Beside,
  { corrects, showsTaxId }: { corrects: Corrected | null; showsTaxId: boolean },
): Promise<Buffer> {
  const { invoicePdf } = await import('./pdf/invoice.ts')
  const language = mailLanguage(program, affiliate.language)
  const taxId = supplierTaxIdOf(key, invoice)
  return invoicePdf(
    { ...invoice, supplierTaxId: taxId !== null && !showsTaxId ? masked(endingOf(taxId)) : taxId, corrects },
    {
      programName: program.name,
      sandbox: program.isSandbox,
      language,
      locale: mailLocale(program, language),
    },
  )
}

/**
 * The paper with the full tax id. Who read it and why is in the history before anybody sees it.
 * @throws INVALID_INPUT; NOT_FOUND; REFUSED if the tax id was encrypted with another key
 */
export async function readInvoicePdf(ctx: KeyCtx, raw: unknown): Promise<Buffer> {
  const { id, reason } = await parseInput(readInvoicePdfInput, raw)
  const invoice = await findPrinted(ctx, id)
  if (invoice.supplierTaxId !== null) {
    readSupplierTaxId(ctx.webhooks.key, invoice)
    const subject = { subject: 'affiliate', subjectId: invoice.affiliateId, action: 'tax_id_read' } as const
    await withTransaction(ctx.db, (tx) =>
      recordAction(tx, ctx, subject, null, { taxIdReason: `${invoice.number}: ${reason}` }, ctx.now()),
    )
  }
  return pdfOfInvoice(ctx.webhooks.key, invoice, { corrects: await findCorrected(ctx, invoice), showsTaxId: true })
}

/** How the paper of an invoice is called. Prefixes may have letters that names of files cannot have. */
export const paperName = ({ number }: Pick<Invoice, 'number'>): string =>
  `${number.replace(/[^\p{L}\p{N}._-]+/gu, '-')}.pdf`
