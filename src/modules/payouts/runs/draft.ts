import type { PayoutRun } from '../../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../../kernel/context.ts'
import { invalid, refused } from '../../../kernel/errors.ts'
import { isId } from '../../../kernel/ids.ts'
import { parseInput, problem } from '../../../kernel/input/parse.ts'
import { excerpt } from '../../../kernel/text.ts'
import { addresses } from '../../payout-methods/addresses.ts'
import { methods } from '../../payout-methods/all.ts'
import { methodOf } from '../../payout-methods/choose.ts'
import { refuseInShadow } from '../../programs/shadow.ts'
import { collectDueCommissions } from '../service.ts'
import { reasonNotPayable, type SkipReason } from '../skip.ts'
import { splitOf } from '../withholding.ts'
import { createPayoutRunInput } from './input.ts'
import type { Candidate } from './pages.ts'
import { newRun } from './record.ts'

/** What a run is to be made of. */
export type Draft = { draft: PayoutRun; payoutIds: string[] | undefined; leaveOutDisabled: boolean }

/**
 * Reads what a run is to be made of, and collects due commissions.
 * @throws INVALID_INPUT; REFUSED if the program lacks what the file needs
 */
export async function readDraft(ctx: ProgramCtx, raw: unknown): Promise<Draft> {
  refuseInShadow(ctx.program)
  const {
    method,
    payoutIds,
    currency,
    asOf,
    leaveOutDisabled = false,
  } = await parseInput(createPayoutRunInput, raw, (input) =>
    input.asOf && input.asOf > ctx.now()
      ? [problem('asOf', "can't be in the future: only due commissions are paid")]
      : [],
  )
  const refusal = methods[method].refusal?.(ctx.program)
  if (refusal) throw refused(refusal)
  await collectDueCommissions(ctx)
  if (payoutIds) await rejectUnknownIds(ctx, payoutIds, 'payoutIds')
  const now = ctx.now()
  const draft = newRun(ctx, { method, currency: currency ?? ctx.program.currency, asOf: asOf ?? now }, now)
  return { draft, payoutIds, leaveOutDisabled }
}

/** Why a run leaves a payout out. */
export function reasonToSkip(
  { payout, heldBy }: Candidate,
  { draft: { method, currency, asOf }, leaveOutDisabled }: Draft,
  { program, now }: Pick<ProgramCtx, 'program' | 'now'>,
): SkipReason | null {
  const reason = reasonNotPayable(payout, now()) ?? (heldBy === 'dead_address' ? null : heldBy)
  if (reason) return reason
  if (payout.affiliate.state === 'suspicious') return 'affiliate_suspicious'
  if (payout.affiliate.state === 'disabled' && leaveOutDisabled) return 'affiliate_disabled'
  if (payout.currency !== currency) return 'other_currency'
  if (payout.createdAt > asOf) return 'opened_later'
  const { amountCents } = splitOf(payout.amountCents, payout.effectiveBasisPoints)
  const unable = methods[method].skipReason({ ...payout, amountCents })
  if (unable) return unable
  if (addresses[method] === null) return null
  return methodOf(payout.affiliate, program.defaultPayoutMethod).method === method ? heldBy : 'other_method'
}

/** @throws INVALID_INPUT */
export async function rejectUnknownIds(ctx: ProgramCtx, ids: string[], field: string): Promise<void> {
  const where = { programId: ctx.program.id, id: { in: ids.filter(isId) } }
  const known = new Set((await ctx.db.payout.findMany({ where, select: { id: true } })).map(({ id }) => id))
  const unknown = [...new Set(ids)].filter((id) => !known.has(id))
  if (unknown.length > 0) throw invalid(unknown.map((id) => ({ field, message: `Payout not found: ${excerpt(id)}` })))
}
