import type { Affiliate, Commission } from '../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import { refused } from '../../kernel/errors.ts'
import { byCurrency } from '../../kernel/money/currency-order.ts'
import { readableAmount } from '../../kernel/money/decimals.ts'
import { voidCommissions } from '../commissions/decide.ts'
import { payPayouts } from '../payouts/pay.ts'
import { collectDueCommissions } from '../payouts/service.ts'
import { inPayoutState } from '../payouts/state.ts'
import type { openMoneyWords } from './input.ts'

export type OpenMoney = (typeof openMoneyWords)[number]

const mostAtOnce = 100

/**
 * Does with the open money of an affiliate what the answer says, before the person is erased: it is paid by hand, it is
 * kept until it is paid, or the commissions are voided.
 * @returns whether the payment details are kept
 * @throws REFUSED without an answer, and if what is to be paid is not due or below the minimum
 */
export async function settleOpenMoney(
  ctx: ProgramCtx,
  affiliate: Pick<Affiliate, 'id'>,
  answer: OpenMoney | undefined,
  reason: string | undefined,
): Promise<boolean> {
  await collectDueCommissions(ctx)
  const open = await readOpen(ctx, affiliate.id)
  if (open.length === 0) return false
  const total = readableTotal(ctx, open)
  if (answer === undefined)
    throw refused(
      `The affiliate has open money: ${total}. Say what happens to it with \`openMoney\`: PAY marks it as paid now, KEEP keeps the name and the payment details until it is paid, GIVE_UP voids it with a \`reason\`.`,
    )
  if (answer === 'keep') return true
  if (answer === 'pay') {
    await payOpen(ctx, affiliate.id, open)
    return false
  }
  if (reason === undefined) throw refused(`To give up ${total}, say why with \`reason\`.`)
  for (let at = 0; at < open.length; at += mostAtOnce)
    await voidCommissions(ctx, { ids: open.slice(at, at + mostAtOnce).map(({ id }) => id), reason })
  return false
}

/** Commissions of the affiliate that are neither paid nor void, and debts. Only debts are no open money. */
async function readOpen({ db, program }: ProgramCtx, affiliateId: string): Promise<Commission[]> {
  const where = { programId: program.id, affiliateId, paidAt: null, voidedAt: null }
  const rows = await db.commission.findMany({ where, orderBy: { id: 'asc' } })
  return rows.some(({ amountCents }) => amountCents > 0n) ? rows : []
}

function readableTotal({ program }: ProgramCtx, open: readonly Commission[]): string {
  const totals = new Map<string, bigint>()
  for (const { currency, amountCents } of open) totals.set(currency, (totals.get(currency) ?? 0n) + amountCents)
  return [...totals]
    .map(([currency, cents]) => ({ currency, cents }))
    .sort(byCurrency(program.currency))
    .map(({ currency, cents }) => readableAmount(cents, currency))
    .join(', ')
}

async function payOpen(ctx: ProgramCtx, affiliateId: string, open: readonly Commission[]): Promise<void> {
  if (open.some(({ payoutId }) => payoutId === null))
    throw refused(
      'Not all of the open money can be paid now: some of it is not due, is held, or waits for a debt. Use KEEP or GIVE_UP.',
    )
  const where = { programId: ctx.program.id, affiliateId, ...inPayoutState.pending }
  const ids = (await ctx.db.payout.findMany({ where, select: { id: true } })).map(({ id }) => id)
  await payPayouts(ctx, { ids })
}
