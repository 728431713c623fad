import type { Invoice, Prisma } from '../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import { mintId } from '../../kernel/ids.ts'
import { giveCommission } from '../commissions/create.ts'
import { eventsOf, recordEvents } from '../events/record.ts'
import { recordAction } from '../history/record.ts'
import { takeNumber } from './series.ts'

/** An invoice before it has a number. */
export type Unnumbered = Omit<
  Invoice,
  'programId' | 'number' | 'place' | 'year' | 'issuedOn' | 'vatCommissionId' | 'createdAt'
> & { supplier: object; buyer: object; lines: object; notes: object }

/**
 * Writes an invoice or a credit note. Value added tax that is not a part of the commissions becomes a correction of its
 * own, so that what is owed stays explained. The caller holds the locks of the series and of the affiliate.
 */
export async function writeInvoice(
  tx: Prisma.TransactionClient,
  ctx: ProgramCtx,
  invoice: Unnumbered,
  { numberPrefix, paysVat }: { numberPrefix: string; paysVat: boolean },
): Promise<void> {
  const { program } = ctx
  const { affiliateId, currency, vatCents } = invoice
  const now = ctx.now()
  const numbered = await takeNumber(tx, program, numberPrefix, now)
  const { number } = numbered
  const vatCommissionId =
    paysVat && vatCents !== 0n ? await giveVat(tx, ctx, { affiliateId, currency, vatCents, number }) : null
  const row = { ...invoice, ...numbered, programId: program.id, vatCommissionId, createdAt: now }
  await tx.invoice.create({ data: row })
  const what = { subject: 'affiliate', subjectId: affiliateId, action: actions[invoice.kind] } as const
  await recordAction(tx, ctx, what, null, { invoiceNumber: number }, now)
  await recordEvents(tx, ctx, eventsOf(invoice.id, ['invoice.created']), now)
}

const actions = { invoice: 'invoice_created', credit_note: 'credit_note_created' } as const

async function giveVat(
  tx: Prisma.TransactionClient,
  ctx: ProgramCtx,
  {
    affiliateId,
    currency,
    vatCents,
    number,
  }: { affiliateId: string; currency: string; vatCents: bigint; number: string },
): Promise<string> {
  const where = { programId_id: { programId: ctx.program.id, id: affiliateId } }
  const { campaignId } = await tx.affiliate.findUniqueOrThrow({ where, select: { campaignId: true } })
  const reason = `Value added tax of ${number}`
  return giveCommission(tx, ctx, {
    kind: 'correction',
    reason,
    affiliateId,
    campaignId,
    currency,
    amountCents: vatCents,
  })
}

/** The id of an invoice, whose order is that of the series. */
export const mintInvoiceId = (ctx: ProgramCtx): string => mintId(ctx.now())
