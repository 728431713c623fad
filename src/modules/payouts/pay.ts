import { withTransaction } from '../../database/client/transaction.ts'
import type { Affiliate, Campaign, Payout, Prisma } from '../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import { invalid, notFound, type Problem, refused } from '../../kernel/errors.ts'
import { isId } from '../../kernel/ids.ts'
import { parseInput, problem } from '../../kernel/input/parse.ts'
import { readableAmount } from '../../kernel/money/decimals.ts'
import { eventsOf, recordEvents } from '../events/record.ts'
import { recordMoneyEvents } from '../history/money-events.ts'
import { recordChanges } from '../history/record.ts'
import { payPayoutInput, payPayoutsInput } from './input.ts'
import { findPayout } from './service.ts'
import { lockAffiliates } from './settle.ts'

type PayoutWithCampaign = Payout & { affiliate: Affiliate & { campaign: Campaign } }

/**
 * Marks a payout and its commissions as paid at the same instant. Commissions that became due since the last read are
 * not added: the caller pays the displayed amount. Idempotent: paying again changes nothing, not even the reference.
 * @throws NOT_FOUND; INVALID_INPUT; REFUSED if the amount is below the campaign's minimum payout (in the currency of
 *   the payout), or is not the expected amount
 */
export async function payPayout(ctx: ProgramCtx, namedId: string, raw: unknown = {}): Promise<void> {
  const { id, affiliateId } = await findPayout(ctx, namedId)
  const { expectedAmountCents, reference } = await parseInput(payPayoutInput, raw)
  await withTransaction(ctx.db, async (tx) => {
    await lockAffiliates(tx, ctx.program.id, [affiliateId])
    const [payout] = await readPayouts(tx, ctx.program.id, [id])
    if (!payout) throw notFound('Payout', id)
    const [reason] = reasonsNotToPay(payout, expectedAmountCents)
    if (reason) throw refused(`The payout ${reason}`)
    await markPaid(tx, ctx, [payout], reference)
  })
}

/**
 * Marks payouts and their commissions as paid at the same instant: all or none. Idempotent.
 * @returns the ids without duplicates, in the order of the input
 * @throws INVALID_INPUT with every problem: payouts that are unknown, below their minimum, or not of the expected
 *   amount
 */
export async function payPayouts(ctx: ProgramCtx, raw: unknown): Promise<string[]> {
  const input = await parseInput(payPayoutsInput, raw, ({ ids, expectedAmountsCents: amounts }) =>
    ids && amounts && ids.length !== amounts.length
      ? [problem('expectedAmountsCents', 'must have one amount for each id')]
      : [],
  )
  const programId = ctx.program.id
  const ids = [...new Set(input.ids)]
  const payouts = await readPayouts(ctx.db, programId, ids)
  const affiliateIds = [...new Set(payouts.map(({ affiliateId }) => affiliateId))]
  await withTransaction(ctx.db, async (tx) => {
    await lockAffiliates(tx, programId, affiliateIds)
    // Payouts that were created since the first read may belong to affiliates whose lock is not held.
    const locked = (await readPayouts(tx, programId, ids)).filter((payout) => affiliateIds.includes(payout.affiliateId))
    const byId = new Map(locked.map((payout) => [payout.id, payout]))
    const problems = input.ids.flatMap((id, index): Problem[] => {
      const problemAt = (message: string) => ({ field: 'ids', path: ['ids', index], message })
      const payout = byId.get(id)
      if (!payout) return [problemAt(`Payout not found: ${id}`)]
      const reasons = reasonsNotToPay(payout, input.expectedAmountsCents?.[index])
      return reasons.map((reason) => problemAt(`Payout ${id} ${reason}`))
    })
    if (problems.length > 0) throw invalid(withoutDuplicates(problems))
    await markPaid(tx, ctx, locked, input.reference)
  })
  return ids
}

/** If an id is given twice, its problems are reported once, at its first position. */
const withoutDuplicates = (problems: Problem[]) =>
  problems.filter(({ message }, index) => problems.findIndex((each) => each.message === message) === index)

const readPayouts = (db: Prisma.TransactionClient, programId: string, ids: string[]): Promise<PayoutWithCampaign[]> =>
  db.payout.findMany({
    where: { programId, id: { in: ids.filter(isId) } },
    include: { affiliate: { include: { campaign: true } } },
  })

/** Each reason ends a sentence that starts with the payout. The expected amount is checked for paid payouts too. */
function reasonsNotToPay(
  { amountCents, currency, paidAt, affiliate }: PayoutWithCampaign,
  expectedCents: bigint | undefined,
): string[] {
  const reasons: string[] = []
  const amount = readableAmount(amountCents, currency)
  const minimum = affiliate.campaign.minimumPayoutCents
  if (expectedCents !== undefined && expectedCents !== amountCents) {
    reasons.push(`is ${amount}, not ${readableAmount(expectedCents, currency)} as expected: it has changed.`)
  }
  if (!paidAt && amountCents < minimum) {
    reasons.push(`of ${amount} is below the campaign's minimum of ${readableAmount(minimum, currency)}.`)
  }
  return reasons
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
  const commissions = await tx.commission.findMany({
    where: unpaid,
    select: { programId: true, id: true, currency: true },
  })
  await tx.commission.updateMany({ where: unpaid, data: paid })
  const facts = commissions.map((commission) => ({ commission, kind: 'paid' as const, deltaCents: 0n }))
  await recordMoneyEvents(tx, ctx, facts, now)
  const changes = open.map((before) => {
    return {
      subject: 'payout' as const,
      subjectId: before.id,
      action: 'paid' as const,
      before,
      after: { ...before, ...payment },
    }
  })
  await recordChanges(tx, ctx, changes, now)
  const events = [
    ...commissions.flatMap(({ id }) => eventsOf(id, ['commission.updated', 'commission.paid'])),
    ...ids.flatMap((id) => eventsOf(id, ['payout.updated', 'payout.paid'])),
  ]
  await recordEvents(tx, ctx, events, now)
}
