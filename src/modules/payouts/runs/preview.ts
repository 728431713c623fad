import type { ProgramCtx } from '../../../kernel/context.ts'
import { nextOwnTurn } from '../../../kernel/slices.ts'
import { findPayouts } from '../service.ts'
import type { SkipReason } from '../skip.ts'
import { readDraft, reasonToSkip } from './draft.ts'
import { runFiles } from './file.ts'
import { payoutPages } from './pages.ts'
import type { Skip } from './read.ts'

/** What a run would be. Amounts are in minor units of its currency. */
export type RunPreview = {
  currency: string
  payouts: number
  amountCents: bigint
  needsApproval: boolean
  skippedCount: number
  /** The first hundred. */
  skipped: Skip[]
}

const mostNamed = 100

/** Says what a run would pay, and whom it would leave out. Nothing is written. @throws as `createPayoutRun` */
export async function previewPayoutRun(ctx: ProgramCtx, raw: unknown): Promise<RunPreview> {
  const { draft, payoutIds } = await readDraft(ctx, raw)
  const { programId, method, currency } = draft
  const room = runFiles[method]?.maxRows ?? Number.POSITIVE_INFINITY
  const chosen = payoutIds ? { payoutIds } : { currency }
  const named: { id: string; reason: SkipReason }[] = []
  let [payouts, amountCents, skippedCount] = [0, 0n, 0]
  for await (const page of payoutPages(ctx.db, programId, chosen, { isCounted: false, size: 1_000 })) {
    for (const { payout, inRun } of page) {
      const reason = reasonToSkip(payout, draft, ctx, inRun) ?? (payouts < room ? null : 'file_full')
      if (reason) {
        skippedCount += 1
        if (named.length < mostNamed) named.push({ id: payout.id, reason })
      } else {
        payouts += 1
        amountCents += payout.amountCents
      }
    }
    await nextOwnTurn()
  }
  const limit = ctx.program.payoutApprovalAboveCents
  const reasons = new Map(named.map(({ id, reason }) => [id, reason]))
  const rows = await findPayouts(ctx, [...reasons.keys()])
  const skipped = rows.map((payout) => ({ payout, reason: reasons.get(payout.id) as SkipReason }))
  return { currency, payouts, amountCents, needsApproval: limit !== null && amountCents > limit, skippedCount, skipped }
}
