import { withTransaction } from '../../database/transaction.ts'
import type { Affiliate, Campaign, Payout, Prisma } from '../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import { invalid, notFound, type Problem, refused } from '../../kernel/errors.ts'
import { isId } from '../../kernel/ids.ts'
import { parseInput, problem } from '../../kernel/input/parse.ts'
import { readableAmount } from '../../kernel/money/decimals.ts'
import { recordMoneyEvents } from '../history/money-events.ts'
import { recordChanges } from '../history/record.ts'
import { payPayoutInput, payPayoutsInput } from './input.ts'
import { findPayout } from './service.ts'
import { lockAffiliates } from './settle.ts'

type Found = Payout & { affiliate: Affiliate & { campaign: Campaign } }

/**
 * Marks a payout and its commissions as paid, at one instant. What became due since the payout was last read is not
 * added: what is paid is what was seen. Paying again changes nothing, not the reference either.
 *
 * @throws NOT_FOUND; INVALID_INPUT; REFUSED below the campaign's minimum, which is read in the payout's own currency,
 *   and where the amount is not the expected one
 */
export async function payPayout(ctx: ProgramCtx, namedId: string, raw: unknown = {}): Promise<void> {
  const { id, affiliateId } = await findPayout(ctx, namedId)
  const { expectedAmountCents, reference } = await parseInput(payPayoutInput, raw)
  await withTransaction(ctx.db, async (tx) => {
    await lockAffiliates(tx, ctx.program.id, [affiliateId])
    const [payout] = await readPayouts(tx, ctx.program.id, [id])
    if (!payout) throw notFound('Payout', id)
    const [objection] = objections(payout, expectedAmountCents)
    if (objection) throw refused(`The payout ${objection}`)
    await markPaid(tx, ctx, [payout], reference)
  })
}

/**
 * Marks payouts and their commissions as paid, at one instant, all or none. Those that are paid already stay as they
 * are, so that a run can be repeated.
 *
 * @returns the ids, in the order they were given, each once
 * @throws INVALID_INPUT with every problem: payouts that are unknown, below their minimum, or not of the expected amount
 */
export async function payPayouts(ctx: ProgramCtx, raw: unknown): Promise<string[]> {
  const input = await parseInput(payPayoutsInput, raw, ({ ids, expectedAmountsCents: amounts }) =>
    ids && amounts && ids.length !== amounts.length
      ? [problem('expectedAmountsCents', 'must be as many as the ids')]
      : [],
  )
  const programId = ctx.program.id
  const ids = [...new Set(input.ids)]
  const seen = await readPayouts(ctx.db, programId, ids)
  const affiliateIds = [...new Set(seen.map(({ affiliateId }) => affiliateId))]
  await withTransaction(ctx.db, async (tx) => {
    await lockAffiliates(tx, programId, affiliateIds)
    // Only payouts of affiliates whose lock is held: another may have been made since the look.
    const found = (await readPayouts(tx, programId, ids)).filter((payout) => affiliateIds.includes(payout.affiliateId))
    const byId = new Map(found.map((payout) => [payout.id, payout]))
    const problems = input.ids.flatMap((id, index): Problem[] => {
      const about = (message: string) => ({ field: 'ids', path: ['ids', index], message })
      const payout = byId.get(id)
      if (!payout) return [about(`Payout not found: ${id}`)]
      return objections(payout, input.expectedAmountsCents?.[index]).map((words) => about(`Payout ${id} ${words}`))
    })
    if (problems.length > 0) throw invalid(unique(problems))
    await markPaid(tx, ctx, found, input.reference)
  })
  return ids
}

/** A payout that is named twice has its problems once, where it was named first. */
const unique = (problems: Problem[]) =>
  problems.filter(({ message }, index) => problems.findIndex((each) => each.message === message) === index)

const readPayouts = (db: Prisma.TransactionClient, programId: string, ids: string[]): Promise<Found[]> =>
  db.payout.findMany({
    where: { programId, id: { in: ids.filter(isId) } },
    include: { affiliate: { include: { campaign: true } } },
  })

/** What speaks against paying, as the end of a sentence about the payout. A paid one is held to the expectation too. */
function objections({ amountCents, currency, paidAt, affiliate }: Found, expectedCents: bigint | undefined): string[] {
  const words: string[] = []
  const amount = readableAmount(amountCents, currency)
  const minimum = affiliate.campaign.minimumPayoutCents
  if (expectedCents !== undefined && expectedCents !== amountCents) {
    words.push(`is ${amount}, not ${readableAmount(expectedCents, currency)} as expected: it has changed.`)
  }
  if (!paidAt && amountCents < minimum) {
    words.push(`of ${amount} is below the campaign's minimum of ${readableAmount(minimum, currency)}.`)
  }
  return words
}

/** The caller holds the locks of the payouts' affiliates. */
async function markPaid(
  tx: Prisma.TransactionClient,
  ctx: ProgramCtx,
  payouts: Payout[],
  reference: string | undefined,
): Promise<void> {
  const open = payouts.filter(({ paidAt }) => !paidAt)
  if (open.length === 0) return
  const ids = open.map(({ id }) => id)
  const programId = ctx.program.id
  const now = ctx.now()
  const paid = { paidAt: now, updatedAt: now }
  const payment = { ...paid, reference: reference ?? null }
  const where = { programId, id: { in: ids }, paidAt: null }
  await tx.payout.updateMany({ where, data: payment })
  const unpaid = { programId, payoutId: { in: ids }, paidAt: null }
  const held = await tx.commission.findMany({ where: unpaid, select: { programId: true, id: true, currency: true } })
  await tx.commission.updateMany({ where: unpaid, data: paid })
  const facts = held.map((commission) => ({ commission, kind: 'paid' as const, deltaCents: 0n }))
  await recordMoneyEvents(tx, ctx, facts, now)
  const changes = open.map((before) => {
    return {
      subject: 'payout' as const,
      subjectId: before.id,
      action: 'paid',
      before,
      after: { ...before, ...payment },
    }
  })
  await recordChanges(tx, ctx, changes, now)
}
