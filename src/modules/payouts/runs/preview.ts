import type { ProgramCtx } from '../../../kernel/context.ts'
import { nextOwnTurn } from '../../../kernel/slices.ts'
import { methods } from '../../payout-methods/all.ts'
import { payeeNameOf } from '../../payout-methods/payee.ts'
import { findPayouts } from '../service.ts'
import { isShortName, type SkipReason } from '../skip.ts'
import { readDraft, reasonToSkip } from './draft.ts'
import { leavingOf } from './leaving.ts'
import { payoutPages } from './pages.ts'
import type { Skip } from './read-run.ts'

/** What a run would be. Amounts are in minor units of its currency. */
export type RunPreview = {
  currency: string
  payouts: number
  amountCents: bigint
  /** What it would withhold of them as tax. */
  withheldCents: bigint
  needsApproval: boolean
  skippedCount: number
  /** The first hundred. */
  skipped: Skip[]
  /** How many of the payouts are of disabled affiliates. */
  disabledCount: number
  /** Names of one word or with initials, for which services ask. The first hundred. */
  shortNames: string[]
}

const mostNamed = 100

/** Says what a run would pay, and whom it would leave out. Nothing is written. @throws as `createPayoutRun` */
export async function previewPayoutRun(ctx: ProgramCtx, raw: unknown): Promise<RunPreview> {
  const chosenDraft = await readDraft(ctx, raw)
  const { draft, payoutIds } = chosenDraft
  const { programId, method, currency } = draft
  const { file, checksName } = methods[method]
  const room = file?.maxRows ?? Number.POSITIVE_INFINITY
  const chosen = payoutIds ? { payoutIds } : { currency }
  const named: { id: string; reason: SkipReason }[] = []
  const shortNames: string[] = []
  let [payouts, amountCents, withheldCents, skippedCount, disabledCount] = [0, 0n, 0n, 0, 0]
  for await (const page of payoutPages(ctx.db, programId, chosen, { method, size: 1_000, now: ctx.now() })) {
    for (const candidate of page) {
      const { payout } = candidate
      const reason = reasonToSkip(candidate, chosenDraft, ctx) ?? (payouts < room ? null : 'file_full')
      if (reason) {
        skippedCount += 1
        if (named.length < mostNamed) named.push({ id: payout.id, reason })
      } else {
        payouts += 1
        const leaving = leavingOf(payout, method)
        amountCents += leaving.amountCents
        withheldCents += leaving.withheldCents
        if (payout.affiliate.state === 'disabled') disabledCount += 1
        const name = payeeNameOf(payout.affiliate)
        if (checksName && isShortName(name) && shortNames.length < mostNamed) shortNames.push(name)
      }
    }
    await nextOwnTurn()
  }
  const limit = ctx.program.payoutApprovalAboveCents
  const reasons = new Map(named.map(({ id, reason }) => [id, reason]))
  const rows = await findPayouts(ctx, [...reasons.keys()])
  const skipped = rows.map((payout) => ({ payout, reason: reasons.get(payout.id) as SkipReason }))
  return {
    currency,
    payouts,
    amountCents,
    withheldCents,
    needsApproval: limit !== null && amountCents > limit,
    skippedCount,
    skipped,
    disabledCount,
    shortNames,
  }
}
