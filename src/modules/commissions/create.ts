import { sqlWithin } from '../../database/client/sql.ts'
import { withTransaction } from '../../database/client/transaction.ts'
import { type Affiliate, Prisma } from '../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import { invalid, refused } from '../../kernel/errors.ts'
import { isId } from '../../kernel/ids.ts'
import { parseInput, problem } from '../../kernel/input/parse.ts'
import { eventsOf, recordEvents } from '../events/record.ts'
import { recordMoneyEvents } from '../history/money-events.ts'
import { lockAffiliates, settleOpenPayouts } from '../payouts/settle.ts'
import { lockInOrder } from '../referrals/lock.ts'
import { newOfAmount } from '../rules/of-amount.ts'
import { createCommissionInput } from './input.ts'

/**
 * Gives an affiliate a bonus, or adds or deducts a correction: a commission without a sale, due at once. A known
 * external id returns the first commission. The open payout is recalculated.
 * @returns the id of the commission
 * @throws INVALID_INPUT, also for an unknown affiliate; REFUSED for a bonus if the affiliate is not active
 */
export async function createCommission(ctx: ProgramCtx, raw: unknown): Promise<string> {
  const {
    affiliateId,
    externalId = null,
    currency,
    ...input
  } = await parseInput(createCommissionInput, raw, ({ kind, amountCents }) =>
    amountCents === 0n
      ? [problem('amountCents', 'must not be 0')]
      : kind === 'bonus' && amountCents !== undefined && amountCents < 0n
        ? [problem('amountCents', 'must be positive for a bonus. Use a correction to deduct an amount')]
        : [],
  )
  const programId = ctx.program.id
  return withTransaction(ctx.db, async (tx) => {
    await lockInOrder(sqlWithin(tx), { programId, externalId: externalId && `commission ${externalId}` })
    const known = externalId !== null && (await tx.commission.findFirst({ where: { programId, externalId } }))
    if (known) return known.id
    const affiliate = await lockAffiliate(tx, programId, affiliateId)
    if (input.kind === 'bonus' && affiliate.state !== 'active')
      throw refused('The affiliate is not active, so it gets no bonus.', ['affiliate_not_active'])
    const of = { affiliateId: affiliate.id, campaignId: affiliate.campaignId }
    return giveCommission(tx, ctx, { ...input, ...of, currency: currency ?? ctx.program.currency }, externalId)
  })
}

type Given = Omit<Parameters<typeof newOfAmount>[0], 'programId'>

/**
 * Writes a commission without a sale, due at once, with its fact and its event. The open payout is recalculated. The
 * caller holds the lock of the affiliate. @returns its id
 */
export async function giveCommission(
  tx: Prisma.TransactionClient,
  ctx: ProgramCtx,
  given: Given,
  externalId: string | null = null,
): Promise<string> {
  const commission = newOfAmount({ ...given, programId: ctx.program.id }, ctx.now(), { externalId })
  const { id, affiliateId, amountCents: deltaCents, reason, createdAt: now } = commission
  await tx.commission.create({ data: { ...commission, furtherHeldReasons: Prisma.DbNull, ruleLines: Prisma.DbNull } })
  await recordMoneyEvents(tx, ctx, [{ commission, kind: 'earned', deltaCents, reason: reason as string }], now)
  await recordEvents(tx, ctx, eventsOf(id, ['commission.created']), now)
  await settleOpenPayouts(tx, ctx, [affiliateId], now)
  return id
}

async function lockAffiliate(tx: Prisma.TransactionClient, programId: string, id: string): Promise<Affiliate> {
  if (isId(id)) await lockAffiliates(tx, programId, [id])
  const affiliate = isId(id) && (await tx.affiliate.findUnique({ where: { programId_id: { programId, id } } }))
  if (!affiliate) throw invalid([{ field: 'affiliateId', message: 'Affiliate not found.' }])
  return affiliate
}
