import type { Prisma } from '../../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../../kernel/context.ts'
import type { Problem } from '../../../kernel/errors.ts'
import { needsOneOf, parseInput } from '../../../kernel/input/parse.ts'
import { lockCustomer } from '../../customers/service.ts'
import { deleteUnattributedSale, keepUnattributedSale } from '../unattributed/keep.ts'
import { attribute, NoMatch } from './attribute.ts'
import { type ConversionInput, reportConversionInput } from './input.ts'
import { recordSale } from './record.ts'
import { findSaleId, withSaleTransaction } from './sale-transaction.ts'

export type Conversion = { duplicate: boolean; saleId: string }

const signals = ['referralId', 'email', 'coupon'] as const
const noSignal: Problem = { message: 'At least one of referral_id, email, coupon must be provided.' }

/**
 * Records a sale and the commission it earns in one transaction. If the external id is known, returns the sale that was
 * recorded first and ignores the rest of the input. A sale that matches no active affiliate is kept for 90 days, so that it
 * can be attributed by hand.
 *
 * @throws INVALID_INPUT; REFUSED if no active affiliate matches the sale
 */
export async function reportConversion(ctx: ProgramCtx, raw: unknown): Promise<Conversion> {
  const duplicate = await findDuplicate(ctx, raw)
  if (duplicate) return duplicate
  const input = await readReport(raw)
  try {
    return await withSaleTransaction(ctx, input.externalId, (tx, recordedId) =>
      attributeAndRecord(ctx, tx, recordedId, input),
    )
  } catch (error) {
    if (error instanceof NoMatch) await keepUnattributedSale(ctx, input, error.signals)
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
  const duplicate = await findDuplicate(ctx, raw)
  if (duplicate) return { ...duplicate, rows: await read(ctx.db, duplicate.saleId) }
  const input = await readReport(raw)
  const rollback: { result?: Conversion & { rows: T } } = {}
  await withSaleTransaction(ctx, input.externalId, async (tx, recordedId) => {
    const conversion = await attributeAndRecord(ctx, tx, recordedId, input)
    rollback.result = { ...conversion, rows: await read(tx, conversion.saleId) }
    throw rollback
  }).catch((error) => {
    if (error !== rollback) throw error
  })
  return rollback.result as Conversion & { rows: T }
}

const readReport = (raw: unknown): Promise<ConversionInput> =>
  parseInput(reportConversionInput, raw, needsOneOf(signals, noSignal))

async function attributeAndRecord(
  ctx: ProgramCtx,
  tx: Prisma.TransactionClient,
  recordedId: string | null,
  input: ConversionInput,
): Promise<Conversion> {
  if (recordedId !== null) return { duplicate: true, saleId: recordedId }
  const programId = ctx.program.id
  const now = ctx.now()
  const occurredAt = input.occurredAt ?? now
  const customer = input.email
    ? await lockCustomer(tx, programId, { email: input.email, name: input.customerName }, now)
    : null
  const { referralId, coupon, externalId = null, amountCents } = input
  const attribution = await attribute(tx, { programId, referralId, coupon, customer, occurredAt, now })
  const sale = {
    externalId,
    customer,
    customerName: input.customerName ?? null,
    billingCustomerId: input.billingCustomerId ?? null,
    amountCents,
    currency: input.currency ?? ctx.program.currency,
    occurredAt,
  }
  if (externalId !== null) await deleteUnattributedSale(tx, programId, externalId)
  const saleId = await recordSale(ctx, tx, sale, attribution, attribution.campaign, now)
  return { duplicate: false, saleId }
}

/** Reads only the external id, because the rest of a repeated report is ignored, even if it is invalid. */
async function findDuplicate(ctx: ProgramCtx, raw: unknown): Promise<Conversion | null> {
  const { externalId } = (raw ?? {}) as { externalId?: unknown }
  const id = reportConversionInput.shape.externalId.safeParse(externalId).data
  const saleId = id === undefined ? null : await findSaleId(ctx.db, ctx, id)
  return saleId === null ? null : { duplicate: true, saleId }
}
