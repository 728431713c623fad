import { calculateCommission } from '../commissions/calculate.ts'
import { insertCommission, readHistory } from '../commissions/service.ts'
import type { ProgramCtx } from '../context.ts'
import { lockCustomer } from '../customers/service.ts'
import { isUniqueViolation } from '../database/errors.ts'
import { withTransaction } from '../database/transaction.ts'
import { type Problem, refused } from '../errors.ts'
import type { Prisma } from '../generated/prisma/client.ts'
import { mintId } from '../ids.ts'
import { parseInput } from '../input/parse.ts'
import { progressReferral } from '../referrals/progress.ts'
import { attributeSale } from './attribute.ts'
import { type ConversionInput, reportConversionInput } from './input.ts'

export type Conversion = { duplicate: boolean; saleId: string }

const signals = ['referralId', 'email', 'coupon'] as const
const noSignal: Problem = { message: 'At least one of referral_id, email, coupon must be provided.' }

/**
 * Records a sale and the commission it earns, all or nothing. An external id that is known answers what was recorded
 * first, whatever else the input says.
 *
 * @throws INVALID_INPUT; REFUSED where no active affiliate matches the sale
 */
export async function reportConversion(ctx: ProgramCtx, raw: unknown): Promise<Conversion> {
  const known = await recordedBefore(ctx, (raw as { externalId?: unknown } | null)?.externalId)
  if (known) return known
  const input = await parseInput(reportConversionInput, raw, (readable, problems) => {
    // A signal that can't be read was given all the same: to call it missing would mislead.
    const isGiven = (signal: (typeof signals)[number]) =>
      readable[signal] !== undefined || problems.some(({ field }) => field === signal)
    return signals.some(isGiven) ? [] : [noSignal]
  })
  try {
    const saleId = await withTransaction(ctx.db, (tx) => recordSale(ctx, tx, input))
    return { duplicate: false, saleId }
  } catch (error) {
    // Another report of the same sale came first; what this one had done is rolled back.
    const recorded = isUniqueViolation(error, 'external_id') ? await recordedBefore(ctx, input.externalId) : null
    if (recorded) return recorded
    throw error
  }
}

/** Locks are taken in one order everywhere (customer, referral, affiliate), so that parallel reports never wait in a circle. */
async function recordSale(ctx: ProgramCtx, tx: Prisma.TransactionClient, input: ConversionInput): Promise<string> {
  const programId = ctx.program.id
  const now = ctx.now()
  const occurredAt = input.occurredAt ?? now
  const customer = input.email
    ? await lockCustomer(tx, programId, { email: input.email, name: input.customerName }, now)
    : null
  const attribution = await attributeSale(tx, {
    programId,
    referralId: input.referralId,
    coupon: input.coupon,
    customer,
    occurredAt,
    now,
  })
  if (!attribution) throw refused('No active affiliate matches this sale.')
  const { referral, campaign, signal } = attribution
  const sale = {
    programId,
    id: mintId(now),
    externalId: input.externalId ?? null,
    referralId: referral.id,
    affiliateId: referral.affiliateId,
    campaignId: referral.campaignId,
    customerId: customer?.id ?? referral.customerId,
    customerName: input.customerName ?? null,
    amountCents: input.amountCents,
    currency: input.currency ?? ctx.program.currency,
    attributedBy: signal,
    occurredAt,
    createdAt: now,
    updatedAt: now,
  }
  const earned = calculateCommission(campaign, sale, await readHistory(tx, referral))
  await tx.sale.create({ data: { ...sale, noCommissionReason: 'reason' in earned ? earned.reason : null } })
  await progressReferral(tx, referral, 'conversion', { at: occurredAt, customerId: customer?.id, now })
  if ('amountCents' in earned) await insertCommission(ctx, tx, sale, campaign, earned, now)
  return sale.id
}

async function recordedBefore(ctx: ProgramCtx, externalId: unknown): Promise<Conversion | null> {
  const id = reportConversionInput.shape.externalId.safeParse(externalId).data
  if (id === undefined) return null
  const key = { programId_externalId: { programId: ctx.program.id, externalId: id } }
  const sale = await ctx.db.sale.findUnique({ where: key, select: { id: true } })
  return sale && { duplicate: true, saleId: sale.id }
}
