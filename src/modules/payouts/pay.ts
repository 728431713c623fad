import { withTransaction } from '../../database/client/transaction.ts'
import type { Payout, PayoutRun, Prisma } from '../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import { invalid, notFound, type Problem, refused } from '../../kernel/errors.ts'
import { isId } from '../../kernel/ids.ts'
import { parseInput, problem } from '../../kernel/input/parse.ts'
import { readableAmount } from '../../kernel/money/decimals.ts'
import { minimumPayoutIn } from '../campaigns/minimum-payouts.ts'
import { refuseInShadow } from '../programs/shadow.ts'
import { affiliatesWithoutProfile } from '../tax/lacking.ts'
import { readTaxSettings } from '../tax/settings.ts'
import { payPayoutInput, payPayoutsInput } from './input.ts'
import { markPaid } from './mark.ts'
import { recordPaidByHand } from './runs/by-hand.ts'
import { openRunsOf } from './runs/find.ts'
import { lockOpenRuns, recordPaidInRuns, takesByHand } from './runs/paid-in-run.ts'
import { findPayout } from './service.ts'
import { lockAffiliates } from './settle.ts'
import { isHeld, type PayoutWithCampaign } from './skip.ts'
import { splitOf } from './withholding.ts'

/**
 * Marks a payout and its commissions as paid at the same instant. Commissions that became due since the last read are
 * not added: the caller pays the displayed amount. Idempotent: paying again changes nothing, not even the reference.
 * @throws NOT_FOUND; INVALID_INPUT; REFUSED if the amount is below the campaign's minimum payout (in the currency of
 *   the payout), or is not the expected amount; if an open run pays it and nobody has its file; if its payment failed;
 *   if the affiliate has changed the payout address and the caller is no API key; if a tax profile is missing
 */
export async function payPayout(ctx: ProgramCtx, namedId: string, raw: unknown = {}): Promise<void> {
  refuseInShadow(ctx.program)
  const { id, affiliateId } = await findPayout(ctx, namedId)
  const { expectedAmountCents, reference } = await parseInput(payPayoutInput, raw)
  await withTransaction(ctx.db, async (tx) => {
    const runs = await lockOpenRuns(tx, ctx, [id])
    await lockAffiliates(tx, ctx.program.id, [affiliateId])
    const [payout] = await readPayouts(tx, ctx, [id], runs)
    if (!payout) throw notFound('Payout', id)
    // The company's own code decides for itself, as it did before there were holds.
    const heldAt = ctx.actor.kind === 'api_key' ? null : ctx.now()
    const [reason] = reasonsNotToPay(payout, expectedAmountCents, heldAt)
    if (reason) throw refused(`The payout ${reason}`)
    await payByHand(tx, ctx, [payout], reference)
  })
}

/**
 * Marks payouts and their commissions as paid at the same instant: all or none. Idempotent.
 * @returns the ids without duplicates, in the order of the input
 * @throws INVALID_INPUT with every problem: payouts that are unknown, below their minimum, or not of the expected
 *   amount
 */
export async function payPayouts(ctx: ProgramCtx, raw: unknown): Promise<string[]> {
  refuseInShadow(ctx.program)
  const input = await parseInput(payPayoutsInput, raw, ({ ids, expectedAmountsCents: amounts }) =>
    ids && amounts && ids.length !== amounts.length
      ? [problem('expectedAmountsCents', 'must have one amount for each id')]
      : [],
  )
  const programId = ctx.program.id
  const ids = [...new Set(input.ids)]
  const where = { programId, id: { in: ids.filter(isId) } }
  const payouts = await ctx.db.payout.findMany({ where, select: { affiliateId: true } })
  const affiliateIds = [...new Set(payouts.map(({ affiliateId }) => affiliateId))]
  await withTransaction(ctx.db, async (tx) => {
    const runs = await lockOpenRuns(tx, ctx, ids)
    await lockAffiliates(tx, programId, affiliateIds)
    // Payouts that were created since the first read may belong to affiliates whose lock is not held.
    const locked = (await readPayouts(tx, ctx, ids, runs)).filter(({ affiliateId }) =>
      affiliateIds.includes(affiliateId),
    )
    const byId = new Map(locked.map((payout) => [payout.id, payout]))
    const problems = input.ids.flatMap((id, index): Problem[] => {
      const problemAt = (message: string) => ({ field: 'ids', path: ['ids', index], message })
      const payout = byId.get(id)
      if (!payout) return [problemAt(`Payout not found: ${id}`)]
      const reasons = reasonsNotToPay(payout, input.expectedAmountsCents?.[index], ctx.now())
      return reasons.map((reason) => problemAt(`Payout ${id} ${reason}`))
    })
    if (problems.length > 0) throw invalid(withoutDuplicates(problems))
    await payByHand(tx, ctx, locked, input.reference)
  })
  return ids
}

/** If an id is given twice, its problems are reported once, at its first position. */
const withoutDuplicates = (problems: Problem[]) =>
  problems.filter(({ message }, index) => problems.findIndex((each) => each.message === message) === index)

type Named = Payout & PayoutWithCampaign & { run: PayoutRun | null; openRunId: string | undefined }

/**
 * Reads payouts under the locks of their affiliates and runs. @returns each with the run whose payment is paid by hand,
 * and with the id of the open run that it is in
 */
async function readPayouts(
  tx: Prisma.TransactionClient,
  { program, actor, now }: ProgramCtx,
  ids: string[],
  lockedRuns: ReadonlyMap<string, PayoutRun>,
): Promise<Named[]> {
  const payouts = await tx.payout.findMany({
    where: { programId: program.id, id: { in: ids.filter(isId) } },
    include: { affiliate: { include: { campaign: true } } },
  })
  const open = await openRunsOf(tx, program.id, ids)
  const lacking = await affiliatesWithoutProfile(tx, program.id, payouts, now())
  const { withholdingBasisPoints } = await readTaxSettings(tx, program.id)
  return payouts.map((payout) => {
    const openRunId = open.get(payout.id)
    const run = lockedRuns.get(openRunId ?? '')
    const lacksTaxProfile = lacking.has(payout.affiliateId)
    return {
      ...payout,
      lacksTaxProfile,
      effectiveBasisPoints: payout.affiliate.withholdingBasisPoints ?? withholdingBasisPoints ?? 0,
      openRunId,
      run: run && payout.amountCents > 0n && takesByHand(run, actor) ? run : null,
    }
  })
}

/**
 * Each reason ends a sentence that starts with the payout. The expected amount is checked for paid payouts too.
 * @param heldAt the time at which payouts may wait for a changed address; null if they do not
 */
function reasonsNotToPay(
  { amountCents, currency, paidAt, failedAt, affiliate, lacksTaxProfile, effectiveBasisPoints, run, openRunId }: Named,
  expectedCents: bigint | undefined,
  heldAt: Date | null,
): string[] {
  const reasons: string[] = []
  const amount = readableAmount(amountCents, currency)
  const minimum = minimumPayoutIn(affiliate.campaign, currency)
  if (expectedCents !== undefined && expectedCents !== amountCents) {
    reasons.push(`is ${amount}, not ${readableAmount(expectedCents, currency)} as expected: it has changed.`)
  }
  if (!paidAt && !failedAt && amountCents < minimum) {
    reasons.push(`of ${amount} is below the campaign's minimum of ${readableAmount(minimum, currency)}.`)
  }
  if (!paidAt && !failedAt && heldAt && isHeld(affiliate, heldAt))
    reasons.push(
      `waits until ${affiliate.payoutsHeldUntil?.toISOString()}: the affiliate has changed the payout address.`,
    )
  if (!paidAt && !failedAt && lacksTaxProfile) reasons.push('waits until the affiliate has signed a tax profile.')
  if (!paidAt && !failedAt && amountCents > 0n && splitOf(amountCents, effectiveBasisPoints).amountCents === 0n)
    reasons.push(`of ${amount} would be withheld as tax in full, so nothing is to be paid. Change the rate first.`)
  if (failedAt) reasons.push('has a payment that failed. What it paid is in the next payout of the affiliate.')
  if (openRunId && !run) reasons.push(`is in the open payout run ${openRunId}. Mark the run, or cancel it first.`)
  return reasons
}

/** The caller holds the locks of the payouts' affiliates and runs. @throws REFUSED */
async function payByHand(
  tx: Prisma.TransactionClient,
  ctx: ProgramCtx,
  payouts: readonly Named[],
  reference: string | undefined,
): Promise<void> {
  const open = payouts.filter(({ paidAt }) => !paidAt)
  const inRuns = open.flatMap(
    ({ affiliate: _, openRunId: __, lacksTaxProfile: ___, effectiveBasisPoints: ____, run, ...payout }) =>
      run ? [{ ...payout, run }] : [],
  )
  const others = open.filter(({ run }) => !run)
  const now = ctx.now()
  await recordPaidInRuns(tx, ctx, inRuns, reference ?? null, now)
  await recordPaidByHand(tx, ctx, others, reference ?? null, now)
  await markPaid(
    tx,
    ctx,
    others.map((payout) => {
      const { withheldCents } = splitOf(payout.amountCents, payout.effectiveBasisPoints)
      return { payout, reference: reference ?? null, withheldCents }
    }),
  )
}
