import { withTransaction } from '../../database/client/transaction.ts'
import { insertRows } from '../../database/client/write.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import { invalid, refused } from '../../kernel/errors.ts'
import { mintId } from '../../kernel/ids.ts'
import { parseInput, problem } from '../../kernel/input/parse.ts'
import { inSlices } from '../../kernel/slices.ts'
import { storedActor } from '../history/actor.ts'
import { recordAction } from '../history/record.ts'
import { keyOf } from './acceptances.ts'
import { acceptReconciliationInput } from './input.ts'
import { isMonth } from './months.ts'
import { openOf, type Reconciliation, reconcile } from './reconcile.ts'

/**
 * Records that a person accepts the open differences of a month: those of a currency, those that are named, or all. An
 * acceptance covers a difference as it is now. @returns the month, compared again
 * @throws INVALID_INPUT; REFUSED if one that is named has changed, or nothing is open
 */
export async function acceptReconciliation(ctx: ProgramCtx, raw: unknown): Promise<Reconciliation> {
  const { month, currency, keys, reason } = await parseInput(acceptReconciliationInput, raw, ({ month: given }) =>
    given === undefined || isMonth(given) ? [] : [problem('month', 'must be a month such as 2026-10')],
  )
  const { program } = ctx
  const closed = await ctx.db.statementMonth.findUnique({
    where: { programId_month: { programId: program.id, month } },
  })
  if (closed) throw invalid([problem('month', 'is closed: what differs now is about the next one')])
  const open = openOf(await reconcile(ctx, month))
  const inCurrency = open.filter((one) => currency === undefined || one.currency === currency)
  const chosen = keys ? inCurrency.filter((one) => keys.includes(keyOf(one))) : inCurrency
  if (keys && chosen.length < new Set(keys).size)
    throw refused('A difference has changed, or it is open no longer. Look at the month again.')
  if (chosen.length === 0)
    throw refused(
      `Nothing of ${month}${currency ? ` in ${currency.toUpperCase()}` : ''} is open that could be accepted.`,
    )
  const now = ctx.now()
  const { actorKind: acceptedByKind, actorId: acceptedById } = storedActor(ctx.actor)
  const by = { acceptedAt: now, acceptedByKind, acceptedById }
  await withTransaction(ctx.db, async (tx) => {
    await inSlices(chosen, async (slice) => {
      const rows = slice.map(({ kind, id: subjectId, currency: of, differenceCents, reason: what }) => {
        const seen = { kind, subjectId, currency: of, differenceCents, what }
        return { programId: program.id, id: mintId(now), month, ...seen, reason, ...by }
      })
      await insertRows(tx, 'accepted_differences', rows)
      return []
    })
    const what = { subject: 'program', subjectId: program.id, action: 'reconciliation_accepted' } as const
    const named = [
      month,
      currency?.toUpperCase(),
      chosen.length === 1 ? '1 difference' : `${chosen.length} differences`,
    ]
    const after = { difference: named.filter(Boolean).join(', '), note: reason }
    await recordAction(tx, ctx, what, { difference: null, note: null }, after, now)
  })
  return reconcile(ctx, month)
}
