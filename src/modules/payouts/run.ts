import type { Campaign, Prisma } from '../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import { invalid, refused } from '../../kernel/errors.ts'
import { isId } from '../../kernel/ids.ts'
import { parseInput } from '../../kernel/input/parse.ts'
import { carries } from '../../kernel/pagination/page.ts'
import { type PayoutRunFormat, payoutRunInput } from './input.ts'
import { formats, nameOf, type RunPayout, readsAsFormula, writeRunFile } from './run-file.ts'
import { gatherDueCommissions } from './service.ts'
import { inPayoutState } from './state.ts'

export const skipReasons = [
  'no_wallet',
  'no_name',
  'unsafe_email',
  'already_paid',
  'below_minimum',
  'nothing_to_pay',
] as const
export type SkipReason = (typeof skipReasons)[number]

export type PayoutRun = {
  format: PayoutRunFormat
  csv: string
  rows: number
  fileName: string
  skipped: { payout: RunPayout; reason: SkipReason }[]
}

type Found = RunPayout & { affiliate: { campaign: Campaign } }

/**
 * The file of a run of payouts, to be paid elsewhere. What is due by now is gathered first. A file for a wallet leaves
 * out what can not be paid with it, and says so; no payout is marked as paid by this.
 *
 * @throws INVALID_INPUT, also for ids that are unknown; REFUSED where the file would hold more than its reader takes, or
 *   several currencies where it takes one
 */
export async function writePayoutRun(ctx: ProgramCtx, raw: unknown): Promise<PayoutRun> {
  const { format, ids, ...input } = await parseInput(payoutRunInput, raw)
  await gatherDueCommissions(ctx)
  const { mostRows, oneCurrency } = formats[format]
  const where: Prisma.PayoutWhereInput = {
    programId: ctx.program.id,
    affiliateId: carries(input.affiliateId),
    currency: input.currency,
    ...(ids && { id: { in: ids.filter(isId) } }),
    ...(input.state && { OR: input.state.map((state) => inPayoutState[state]) }),
  }
  if (ids) await refuseUnknown(ctx, ids)
  const include = { affiliate: { include: { campaign: true } }, _count: { select: { commissions: true } } }
  const found: Found[] = await ctx.db.payout.findMany({ where, include, orderBy: { id: 'desc' }, take: mostRows + 1 })
  if (found.length > mostRows) {
    throw refused(`A file of this format holds at most ${mostRows} payouts. Choose by state, currency or affiliate.`)
  }
  const judged = found.map((payout) => ({ payout, reason: reasonToSkip(payout, format) }))
  const payouts = judged.filter(({ reason }) => reason === null).map(({ payout }) => payout)
  const currencies = [...new Set(payouts.map(({ currency }) => currency))].sort()
  if (oneCurrency && currencies.length > 1) {
    throw refused(`A file of this format holds one currency; these are ${currencies.join(', ')}. Choose one.`)
  }
  return {
    format,
    csv: writeRunFile(format, payouts, ctx.program),
    rows: payouts.length,
    fileName: `payouts-${format.replace('_', '-')}-${ctx.now().toISOString().slice(0, 10)}.csv`,
    skipped: judged.flatMap(({ payout, reason }) => (reason ? [{ payout, reason }] : [])),
  }
}

async function refuseUnknown(ctx: ProgramCtx, ids: string[]): Promise<void> {
  const where = { programId: ctx.program.id, id: { in: ids.filter(isId) } }
  const known = new Set((await ctx.db.payout.findMany({ where, select: { id: true } })).map(({ id }) => id))
  const unknown = [...new Set(ids)].filter((id) => !known.has(id))
  if (unknown.length > 0) throw invalid(unknown.map((id) => ({ field: 'ids', message: `Payout not found: ${id}` })))
}

/** What keeps a payout out of a wallet's file; the generic one holds whatever was asked for. */
function reasonToSkip({ amountCents, paidAt, affiliate }: Found, format: PayoutRunFormat): SkipReason | null {
  if (format === 'generic') return null
  const email = format === 'wallet_a' ? affiliate.walletAEmail : affiliate.walletBEmail
  if (paidAt) return 'already_paid'
  if (amountCents === 0n) return 'nothing_to_pay'
  if (amountCents < affiliate.campaign.minimumPayoutCents) return 'below_minimum'
  if (!email) return 'no_wallet'
  if (readsAsFormula(email)) return 'unsafe_email'
  return format === 'wallet_b' && !nameOf(affiliate) ? 'no_name' : null
}
