import type { Commission, MoneyEvent } from '../../generated/prisma/client.ts'
import type { HeldReason } from '../../generated/prisma/enums.ts'
import type { ShownChange } from '../history/fields.ts'
import type { HistoryEntry } from '../history/service.ts'
import { heldAfter } from './holds.ts'
import { commissionState } from './state.ts'

/** The fields of a commission as they follow from its facts up to one of them. */
type Snapshot = Pick<Commission, 'paidAt' | 'voidedAt' | 'dueAt' | 'amountCents'> & { held: HeldReason[] }

/**
 * A commission's history, newest first, from its facts: amounts are running sums. Becoming due is not a fact.
 * @param dueAt the first due date; each later one is in a fact
 * @param events all facts of this commission, oldest first
 */
export function commissionHistory(dueAt: Date, events: readonly MoneyEvent[]): HistoryEntry[] {
  let before: Snapshot | null = null
  const entries = events.map((event): HistoryEntry => {
    const after = withFact(before ?? { amountCents: 0n, paidAt: null, voidedAt: null, held: [], dueAt }, event)
    const changes = changesBetween(before, after, event)
    before = after
    const { kind: action, programId, commissionId, id, at, actorKind, actorId, requestId, reason, currency } = event
    const subject = { subject: 'commission', subjectId: commissionId } as const
    return { programId, id, at, ...subject, action, changes, currency, actorKind, actorId, requestId, reason }
  })
  return entries.reverse()
}

function withFact(before: Snapshot, event: MoneyEvent): Snapshot {
  const { kind, deltaCents, at, dueAt, paidAt } = event
  const after = { ...before, amountCents: before.amountCents + deltaCents }
  switch (kind) {
    case 'voided':
      return { ...after, voidedAt: at }
    case 'paid':
      // A payment outside of a payout names its time; a payment in a payout has the time of the fact.
      return { ...after, paidAt: paidAt ?? at }
    case 'unpaid':
      return { ...after, paidAt: null }
    case 'unvoided':
      return { ...after, voidedAt: null }
    case 'rescheduled':
      return { ...after, dueAt: dueAt ?? after.dueAt }
    case 'held':
    case 'approved':
      return { ...after, held: heldAfter(before.held, event) }
    case 'earned':
    case 'recalculated':
    case 'amended':
    case 'refunded':
    case 'refund_reversed':
      return after
  }
}

function changesBetween(before: Snapshot | null, after: Snapshot, { at }: MoneyEvent): ShownChange[] {
  const shown = (snapshot: Snapshot | null) => ({
    amountCents: snapshot && String(snapshot.amountCents),
    state: snapshot && commissionState({ ...snapshot, heldReason: snapshot.held[0] ?? null }, at),
    held: snapshot && String(snapshot.held.length > 0),
    dueAt: snapshot?.dueAt.toISOString() ?? null,
    paidAt: snapshot?.paidAt?.toISOString() ?? null,
  })
  const [from, to] = [shown(before), shown(after)]
  const fields = ['amountCents', 'state', ...(before ? (['held', 'dueAt', 'paidAt'] as const) : [])] as const
  return fields
    .map((field) => ({ field, from: from[field], to: to[field] }))
    .filter((change) => change.from !== change.to)
}
