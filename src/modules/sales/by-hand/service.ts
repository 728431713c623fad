import { sqlWithin } from '../../../database/client/sql.ts'
import { withTransaction } from '../../../database/client/transaction.ts'
import type { ProgramCtx } from '../../../kernel/context.ts'
import { addDays } from '../../../kernel/dates.ts'
import { invalid } from '../../../kernel/errors.ts'
import { parseInput, problem } from '../../../kernel/input/parse.ts'
import { lockInOrder } from '../../referrals/lock.ts'
import type { TriedSignal } from '../decision.ts'
import { readSaleItems } from '../items/read-items.ts'
import { findKnownSale } from '../report/facts.ts'
import { signals } from '../signals/all.ts'
import { recordByHand } from './attribute.ts'
import { recordSaleInput } from './input.ts'

/**
 * Records a sale of an affiliate that a person names, for sales that no billing system reports.
 * @returns the id of the sale
 * @throws INVALID_INPUT, also for an external id that is recorded already; REFUSED if the affiliate is not active
 */
export async function recordSaleOf(ctx: ProgramCtx, affiliateId: string, raw: unknown): Promise<string> {
  const input = await parseInput(recordSaleInput, raw, ({ occurredAt, items, amountCents }) => [
    ...(occurredAt && occurredAt > addDays(ctx.now(), 1)
      ? [problem('occurredAt', 'may lie at most one day ahead')]
      : []),
    ...readSaleItems(items, amountCents).problems,
  ])
  const { externalId = null, email = null, customerName = null, amountCents, currency, occurredAt } = input
  const { billingInterval = null, paymentNumber = null } = input
  const programId = ctx.program.id
  return withTransaction(ctx.db, async (tx) => {
    const sql = sqlWithin(tx)
    await lockInOrder(sql, { programId, externalId })
    if (externalId !== null && (await findKnownSale(sql, programId, externalId)) !== null)
      throw invalid([problem('externalId', 'is that of a sale that is recorded already')])
    return recordByHand(ctx, tx, affiliateId, {
      externalId,
      email,
      customerName,
      billingCustomerId: null,
      amountCents,
      currency: currency ?? ctx.program.currency,
      occurredAt: occurredAt ?? ctx.now(),
      isTimed: Boolean(occurredAt),
      billingInterval,
      paymentNumber,
      items: readSaleItems(input.items, amountCents).value,
      coupons: [],
      signals: signalsOf(email),
      dropped: [],
    })
  })
}

const signalsOf = (email: string | null): TriedSignal[] =>
  signals.flatMap(({ signal, field, isRare }) => {
    const outcome = field === 'email' && email !== null ? 'not_tried' : 'not_given'
    return isRare && outcome === 'not_given' ? [] : [{ signal, outcome }]
  })
