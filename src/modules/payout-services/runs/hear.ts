import { sqlWithin, statement } from '../../../database/client/sql.ts'
import { columnsOf, jsonOf } from '../../../database/client/write.ts'
import type { Prisma } from '../../../generated/prisma/client.ts'
import type { PayoutItemState } from '../../../generated/prisma/enums.ts'
import type { ProgramCtx } from '../../../kernel/context.ts'
import { readFacts, type Said } from '../../payouts/payments/facts.ts'
import type { KnownFact } from '../../payouts/payments/fold.ts'
import { applyFacts } from '../../payouts/runs/apply-facts.ts'
import { lockRun } from '../../payouts/runs/find.ts'
import { noteResults } from '../../payouts/runs/results.ts'
import { changePayments, closeRun, lockItems, type Payment } from '../../payouts/runs/steps.ts'
import type { Heard, Kind } from '../kinds/kind.ts'
import { idOf } from '../our-ids.ts'
import { amountContradiction, orderContradictions } from './contradiction.ts'

/** Payments of one transaction, which holds the locks of their affiliates. */
const atOnce = 200

/**
 * Records what a service says of payments of a run: the same kind of facts that people record, in the order of the
 * service's time. Nothing is recorded twice, however often and in whatever order it is said. What does not fit
 * together is shown to a person.
 */
export async function recordHeard(ctx: ProgramCtx, kind: Kind, runId: string, heard: readonly Heard[]): Promise<void> {
  const byItem = new Map<string, Heard[]>()
  for (const one of heard) {
    const id = idOf(one.ourId)
    if (id !== null) byItem.set(id, [...(byItem.get(id) ?? []), one])
  }
  const ids = [...byItem.keys()].sort()
  for (let from = 0; from < ids.length; from += atOnce) {
    const some = ids.slice(from, from + atOnce)
    await changePayments(ctx, (tx) => recordSome(tx, ctx, { kind, runId, ids: some, byItem }))
  }
}

type What = { kind: Kind; runId: string; ids: readonly string[]; byItem: ReadonlyMap<string, readonly Heard[]> }

async function recordSome(
  tx: Prisma.TransactionClient,
  ctx: ProgramCtx,
  { kind, runId, ids, byItem }: What,
): Promise<void> {
  const run = await lockRun(tx, ctx, runId)
  const where = { programId: ctx.program.id, runId, id: { in: [...ids] } }
  const found = await tx.payoutRunItem.findMany({ where, select: { id: true, affiliateId: true } })
  const payments = await lockItems(tx, ctx, found)
  const now = ctx.now()
  const facts = payments.map((payment) => {
    return { payment, said: (byItem.get(payment.id) ?? []).flatMap((one) => saidOf(one, payment)) }
  })
  const itemIds = payments.map(({ id }) => id)
  const before = await readFacts(sqlWithin(tx), ctx.program.id, itemIds)
  const changed = await applyFacts(tx, ctx, run, facts, now)
  const known = await readFacts(sqlWithin(tx), ctx.program.id, itemIds)
  await noteResults(tx, ctx, runId, changed, now)
  await setSaid(
    tx,
    facts.map(({ payment }) => {
      const recorded = known.get(payment.id) ?? []
      const recordedBefore = before.get(payment.id) ?? []
      const state = changed.get(payment.payoutId) ?? payment.state
      return columnsOfSaid(kind, payment, byItem.get(payment.id) ?? [], { recorded, recordedBefore, state })
    }),
    now,
  )
  await noteFunded(
    tx,
    ctx,
    itemIds.filter((id) => byItem.get(id)?.some(({ isFunded }) => isFunded)),
    now,
  )
  await closeRun(tx, ctx, run, {}, now)
}

/** A person has funded the batches of the payments. */
async function noteFunded(
  tx: Prisma.TransactionClient,
  { program }: ProgramCtx,
  itemIds: readonly string[],
  now: Date,
): Promise<void> {
  if (itemIds.length === 0) return
  await tx.payoutBatch.updateMany({
    where: { programId: program.id, state: 'handed_over', items: { some: { id: { in: [...itemIds] } } } },
    data: { state: 'sent', handOver: null, expiresAt: null, updatedAt: now },
  })
}

/**
 * What a service says as a fact. What is still on its way is one only if the payment was not sent. What cannot be used,
 * such as a word that is not known, says at least that the service has the payment, so it is not free.
 */
function saidOf({ state, at, amount, reference, reason, serviceId }: Heard, payment: Payment): Said[] {
  const isUsable = state !== null && (!amount || amount.currency === payment.currency)
  if (!isUsable) return payment.state === 'prepared' && serviceId !== null ? [{ kind: 'sent', reference }] : []
  if (state === 'sent' && payment.state !== 'prepared') return []
  const isPart = amount !== null && amount.cents !== payment.amountCents
  return [
    {
      kind: state,
      amountCents: isPart && state !== 'sent' && state !== 'failed' ? amount.cents : null,
      at: state === 'sent' ? null : at,
      reference,
      reason: state === 'paid' || state === 'sent' ? null : reason,
    },
  ]
}

type Now = { recorded: readonly KnownFact[]; recordedBefore: readonly KnownFact[]; state: PayoutItemState }

/** What contradicts now and did not before: a person has decided what did, or will. */
function newContradiction(kind: Kind, payment: Payment, all: readonly Heard[], { recorded, recordedBefore }: Now) {
  const isNews = recorded.length > recordedBefore.length
  const isKnown = ({ amount }: Heard) =>
    amount?.currency === payment.currency && recordedBefore.some(({ amountCents }) => amountCents === amount.cents)
  const ofAmounts = all
    .filter((one) => (isNews || one.word !== payment.serviceState) && !isKnown(one))
    .flatMap((one) => amountContradiction(kind.name, one, payment) ?? [])
  if (ofAmounts[0] !== undefined || !isNews) return ofAmounts[0] ?? null
  const known = new Set(orderContradictions(recordedBefore, kind.alsoAfter))
  return orderContradictions(recorded, kind.alsoAfter).find((one) => !known.has(one)) ?? null
}

function columnsOfSaid(kind: Kind, payment: Payment, all: readonly Heard[], now: Now) {
  const { state } = now
  const latest = all.toSorted((a, b) => (a.at?.getTime() ?? 0) - (b.at?.getTime() ?? 0)).at(-1) as Heard
  const becomes = latest.state === 'reversed' ? 'returned' : latest.state
  return columnsOf({
    programId: payment.programId,
    id: payment.id,
    serviceId: latest.serviceId,
    // A notice that comes late does not take back the word of a later one.
    serviceState: becomes === null || becomes === state ? latest.word : null,
    feeCents: latest.fee ? String(latest.fee.cents) : null,
    feeCurrency: latest.fee?.currency ?? null,
    exchangeRate: latest.exchangeRate,
    receivedCents: latest.received ? String(latest.received.cents) : null,
    receivedCurrency: latest.received?.currency ?? null,
    contradiction: newContradiction(kind, payment, all, now),
  })
}

const setColumns = statement(`
  update payout_run_items item set updated_at = $1::timestamptz, is_unknown = false,
    service_id = coalesce(given.service_id, item.service_id), service_state = coalesce(given.service_state, item.service_state),
    fee_cents = coalesce(given.fee_cents, item.fee_cents), fee_currency = coalesce(given.fee_currency, item.fee_currency),
    exchange_rate = coalesce(given.exchange_rate, item.exchange_rate),
    received_cents = coalesce(given.received_cents, item.received_cents),
    received_currency = coalesce(given.received_currency, item.received_currency),
    contradiction = coalesce(given.contradiction, item.contradiction)
  from jsonb_populate_recordset(null::payout_run_items, $2::jsonb) given
  where item.program_id = given.program_id and item.id = given.id`)

async function setSaid(tx: Prisma.TransactionClient, rows: readonly object[], now: Date) {
  if (rows.length > 0) await sqlWithin(tx).query(setColumns, [now.toISOString(), jsonOf(rows)])
}
