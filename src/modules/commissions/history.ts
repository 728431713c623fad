import type { Commission, MoneyEvent } from '../../generated/prisma/client.ts'
import type { ShownChange } from '../history/fields.ts'
import { entriesOf, type HistoryEntry, type HistoryWindow } from '../history/service.ts'
import { commissionState } from './state.ts'

/** What the facts up to a moment say of a commission. */
type Told = Pick<Commission, 'paidAt' | 'voidedAt' | 'heldReason' | 'dueAt' | 'amountCents'>

/**
 * A commission's history, newest first, told by its facts alone: amounts are their running sum, states what followed
 * from them at that instant. That it became due is no fact, but the clock's doing.
 *
 * @param dueAt when it was due at first: every other due date is told by a fact
 * @param events all of this commission's, oldest first
 */
export function commissionHistory(
  dueAt: Date,
  events: readonly MoneyEvent[],
  window: HistoryWindow = {},
): HistoryEntry[] {
  let before: Told | null = null
  const entries = events.map((event): HistoryEntry => {
    const after = applied(before ?? { amountCents: 0n, paidAt: null, voidedAt: null, heldReason: null, dueAt }, event)
    const changes = changesBetween(before, after, event)
    before = after
    const { kind: action, programId, id, at, actorKind, actorId, requestId, reason } = event
    return { programId, id, at, action, changes, actorKind, actorId, requestId, reason }
  })
  const older = window.before ? entries.filter(({ id }) => id < (window.before as string)) : entries
  return older.reverse().slice(0, entriesOf(window))
}

function applied(told: Told, { kind, deltaCents, at, dueAt, paidAt }: MoneyEvent): Told {
  const after = { ...told, amountCents: told.amountCents + deltaCents }
  switch (kind) {
    case 'voided':
      return { ...after, voidedAt: at }
    case 'paid':
      // By itself at the moment that was told, in a payout when that was marked.
      return { ...after, paidAt: paidAt ?? at }
    case 'unpaid':
      return { ...after, paidAt: null }
    case 'rescheduled':
      return { ...after, dueAt: dueAt ?? after.dueAt }
    case 'held':
      // Which reason it was is the fact's to tell; for the state it is enough that there is one.
      return { ...after, heldReason: 'self_referral_email' }
    case 'approved':
      return { ...after, heldReason: null }
    case 'earned':
    case 'amended':
    case 'refunded':
      return after
  }
}

function changesBetween(before: Told | null, after: Told, { at }: MoneyEvent): ShownChange[] {
  const shown = (told: Told | null) => ({
    amountCents: told && String(told.amountCents),
    state: told && commissionState(told, at),
    held: told && String(told.heldReason !== null),
    dueAt: told?.dueAt.toISOString() ?? null,
    paidAt: told?.paidAt?.toISOString() ?? null,
  })
  const [from, to] = [shown(before), shown(after)]
  const fields = ['amountCents', 'state', ...(before ? (['held', 'dueAt', 'paidAt'] as const) : [])] as const
  return fields
    .map((field) => ({ field, from: from[field], to: to[field] }))
    .filter((change) => change.from !== change.to)
}
