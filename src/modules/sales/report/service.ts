import { withTransaction } from '../../../database/transaction.ts'
import type { Prisma } from '../../../generated/prisma/client.ts'
import type { Db, ProgramCtx } from '../../../kernel/context.ts'
import type { Problem } from '../../../kernel/errors.ts'
import { needsOneOf, parseInput } from '../../../kernel/input/parse.ts'
import { lockCustomer } from '../../customers/service.ts'
import { dropUnattributedSale, keepUnattributedSale } from '../unattributed/keep.ts'
import { attribute, NoMatch } from './attribute.ts'
import { bookSale, lockExternalId } from './book.ts'
import { type ConversionInput, reportConversionInput } from './input.ts'

export type Conversion = { duplicate: boolean; saleId: string }

const signals = ['referralId', 'email', 'coupon'] as const
const noSignal: Problem = { message: 'At least one of referral_id, email, coupon must be provided.' }

/**
 * Records a sale and the commission it earns, all or nothing. An external id that is known answers what was recorded
 * first, whatever else the input says. A sale that matches nobody is kept aside for 90 days, to be attributed by hand.
 *
 * @throws INVALID_INPUT; REFUSED where no active affiliate matches the sale
 */
export async function reportConversion(ctx: ProgramCtx, raw: unknown): Promise<Conversion> {
  const known = await recordedBefore(ctx, (raw as { externalId?: unknown } | null)?.externalId)
  if (known) return known
  const input = await readReport(raw)
  try {
    return await withTransaction(ctx.db, (tx) => recordSale(ctx, tx, input))
  } catch (error) {
    if (error instanceof NoMatch) await keepUnattributedSale(ctx, input, error.signals)
    throw error
  }
}

/**
 * What reporting the sale would answer: everything is done as `reportConversion` does it, looked at with `read`, and
 * rolled back.
 *
 * @throws INVALID_INPUT; REFUSED where no active affiliate matches the sale
 */
export async function simulateConversion<T>(
  ctx: ProgramCtx,
  raw: unknown,
  read: (db: Prisma.TransactionClient, saleId: string) => Promise<T>,
): Promise<Conversion & { seen: T }> {
  const known = await recordedBefore(ctx, (raw as { externalId?: unknown } | null)?.externalId)
  if (known) return { ...known, seen: await read(ctx.db, known.saleId) }
  const input = await readReport(raw)
  const rollback: { answer?: Conversion & { seen: T } } = {}
  await withTransaction(ctx.db, async (tx) => {
    const conversion = await recordSale(ctx, tx, input)
    rollback.answer = { ...conversion, seen: await read(tx, conversion.saleId) }
    throw rollback
  }).catch((error) => {
    if (error !== rollback) throw error
  })
  return rollback.answer as Conversion & { seen: T }
}

const readReport = (raw: unknown): Promise<ConversionInput> =>
  parseInput(reportConversionInput, raw, needsOneOf(signals, noSignal))

/**
 * Locks are taken in one order everywhere (external id, customer, referral, affiliate), so that parallel reports never
 * wait in a circle. Reports of one sale that come at the same moment wait for the first, and answer what it recorded.
 */
async function recordSale(ctx: ProgramCtx, tx: Prisma.TransactionClient, input: ConversionInput): Promise<Conversion> {
  if (input.externalId !== undefined) {
    await lockExternalId(tx, ctx.program.id, input.externalId)
    const recorded = await recordedBefore({ ...ctx, db: tx }, input.externalId)
    if (recorded) return recorded
  }
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
    amountCents,
    currency: input.currency ?? ctx.program.currency,
    occurredAt,
  }
  if (externalId !== null) await dropUnattributedSale(tx, programId, externalId)
  const saleId = await bookSale(ctx, tx, sale, attribution, attribution.campaign, now)
  return { duplicate: false, saleId }
}

async function recordedBefore(
  ctx: Pick<ProgramCtx, 'program'> & { db: Db },
  externalId: unknown,
): Promise<Conversion | null> {
  const id = reportConversionInput.shape.externalId.safeParse(externalId).data
  if (id === undefined) return null
  const key = { programId_externalId: { programId: ctx.program.id, externalId: id } }
  const sale = await ctx.db.sale.findUnique({ where: key, select: { id: true } })
  return sale && { duplicate: true, saleId: sale.id }
}
