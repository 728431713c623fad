import type { Payout, Prisma } from '../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import { invalid, refused } from '../../kernel/errors.ts'
import { isId } from '../../kernel/ids.ts'
import { parseInput } from '../../kernel/input/parse.ts'
import { excerpt } from '../../kernel/text.ts'
import { carries } from '../../listing/page.ts'
import { type PayoutFileFormat, payoutFileInput } from './input.ts'
import { type FilePayout, fileRows, fileStart, formats, markOf } from './payout-file.ts'
import { openRunsOf } from './runs/find.ts'
import { collectDueCommissions } from './service.ts'
import { isHeld, type PayoutWithCampaign, reasonNotPayable, reasonOfFormat, type SkipReason } from './skip.ts'
import { inPayoutState } from './state.ts'

export type PayoutFile = {
  format: PayoutFileFormat
  csv: string
  rows: number
  fileName: string
  skipped: { payout: Payout; reason: SkipReason }[]
}

type Found = Payout & FilePayout & PayoutWithCampaign

/**
 * Writes payouts to a file, to be paid with another service, after collecting due commissions. Payouts that the wallet
 * cannot pay are in `skipped`. No payout is marked as paid.
 * @throws INVALID_INPUT, also for unknown ids; REFUSED if the file would have more rows than the service accepts, or
 *   several currencies when it accepts one
 */
export async function writePayoutFile(ctx: ProgramCtx, raw: unknown): Promise<PayoutFile> {
  const { format, ids, ...input } = await parseInput(payoutFileInput, raw)
  await collectDueCommissions(ctx)
  const { maxRows, oneCurrency } = formats[format]
  const where: Prisma.PayoutWhereInput = {
    programId: ctx.program.id,
    affiliateId: carries(input.affiliateId),
    currency: input.currency,
    ...(ids && { id: { in: ids.filter(isId) } }),
    ...(input.state && { OR: input.state.map((state) => inPayoutState[state]) }),
  }
  if (ids) await rejectUnknownIds(ctx, ids)
  const include = { affiliate: { include: { campaign: true } }, _count: { select: { commissions: true } } }
  const found: Found[] = await ctx.db.payout.findMany({
    where,
    include,
    orderBy: { id: 'desc' },
    take: maxRows + 1,
  })
  if (found.length > maxRows) {
    throw refused(`A file in this format holds at most ${maxRows} payouts. Filter by state, currency or affiliate.`)
  }
  const runs = await openRunsOf(
    ctx.db,
    ctx.program.id,
    found.map(({ id }) => id),
  )
  const now = ctx.now()
  const checked = found.map((payout) => ({ payout, reason: reasonToSkip(payout, format, runs.has(payout.id), now) }))
  const payouts = checked.filter(({ reason }) => reason === null).map(({ payout }) => payout)
  const currencies = [...new Set(payouts.map(({ currency }) => currency))].sort()
  if (oneCurrency && currencies.length > 1) {
    throw refused(
      `A file in this format holds one currency, but the payouts are in ${currencies.join(', ')}. Filter by currency.`,
    )
  }
  return {
    format,
    csv: markOf(ctx.program) + fileStart(format) + fileRows(format, payouts, ctx.program),
    rows: payouts.length,
    fileName: `payouts-${formats[format].service}-${now.toISOString().slice(0, 10)}.csv`,
    skipped: checked.flatMap(({ payout, reason }) => (reason ? [{ payout, reason }] : [])),
  }
}

/** @throws INVALID_INPUT */
export async function rejectUnknownIds(ctx: ProgramCtx, ids: string[], field = 'ids'): Promise<void> {
  const where = { programId: ctx.program.id, id: { in: ids.filter(isId) } }
  const known = new Set((await ctx.db.payout.findMany({ where, select: { id: true } })).map(({ id }) => id))
  const unknown = [...new Set(ids)].filter((id) => !known.has(id))
  if (unknown.length > 0) throw invalid(unknown.map((id) => ({ field, message: `Payout not found: ${excerpt(id)}` })))
}

/** The generic format accepts all payouts, except open ones that wait, or that a run pays. */
const reasonToSkip = (
  payout: PayoutWithCampaign,
  format: PayoutFileFormat,
  inRun: boolean,
  now: Date,
): SkipReason | null =>
  format === 'generic'
    ? payout.paidAt || payout.failedAt
      ? null
      : isHeld(payout.affiliate, now)
        ? 'address_changed'
        : reasonOfOthers(payout, inRun)
    : (reasonNotPayable(payout, now) ?? reasonOfOthers(payout, inRun) ?? reasonOfFormat(payout, format))

/** Why an open payout is not to be paid beside a run, or before a person has decided. */
const reasonOfOthers = ({ affiliate }: PayoutWithCampaign, inRun: boolean): SkipReason | null =>
  inRun ? 'in_open_run' : affiliate.state === 'suspicious' ? 'affiliate_suspicious' : null
