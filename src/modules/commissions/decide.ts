import { withTransaction } from '../../database/client/transaction.ts'
import { type Commission, Prisma } from '../../generated/prisma/client.ts'
import type { HeldReason, MoneyEventKind } from '../../generated/prisma/enums.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import { invalid, type Problem, refused } from '../../kernel/errors.ts'
import { groupBy } from '../../kernel/group-by.ts'
import { isId } from '../../kernel/ids.ts'
import { parseInput } from '../../kernel/input/parse.ts'
import { excerpt } from '../../kernel/text.ts'
import { eventsOf, recordEvents } from '../events/record.ts'
import type { EventType } from '../events/types.ts'
import { recordMoneyEvents } from '../history/money-events.ts'
import { sentOf, sentRefusal } from '../payouts/sent-payouts.ts'
import { lockAffiliates, settleOpenPayouts } from '../payouts/settle.ts'
import { heldFor, heldReasonsOf } from '../referrals/held-reasons.ts'
import { countedRefusal, withDebts } from './after-payment.ts'
import { isCredit } from './earned.ts'
import { afterApproval, disputeEnded, termsAccepted } from './holds.ts'
import { approveCommissionsInput, voidCommissionInput, voidCommissionsInput } from './input.ts'
import { findCommission } from './service.ts'
import { unsettled } from './state.ts'
import { correctChangedCommissions } from './tier-corrections.ts'

/** What is decided about commissions that are neither paid nor void. */
type Decision = {
  kind: MoneyEventKind
  /** The events in addition to `commission.updated`. */
  typesOf(after: Changed): readonly EventType[]
  /** What changes in the commission. Null: it stays unchanged. */
  changeOf(commission: Commission, now: Date): Changed | null
  refusal(commission: Commission): string | null
}

type Changed = { voidedAt?: Date; payoutId?: null } & Partial<ReturnType<typeof heldFor>>

const voiding: Decision = {
  kind: 'voided',
  typesOf: () => ['commission.voided', 'commission.deleted'],
  changeOf: ({ voidedAt }, now) => (voidedAt === null ? { voidedAt: now, payoutId: null } : null),
  refusal: (commission) => {
    if (commission.paidAt) return "A paid commission can't be voided."
    return isCredit(commission) ? "A commission that gives back what a refund had deducted can't be voided." : null
  },
}

/** The reasons that remain. A release that changes nothing, or is about a settled commission, is null. */
function released(commission: Commission, remaining: readonly HeldReason[]): Changed | null {
  const { paidAt, voidedAt } = commission
  if (paidAt || voidedAt || remaining.length === heldReasonsOf(commission).length) return null
  return heldFor(remaining)
}

const approving: Decision = {
  kind: 'approved',
  typesOf: ({ heldReason }) => (heldReason === null ? ['tributary.commission.approved'] : []),
  changeOf: (commission) => released(commission, afterApproval(heldReasonsOf(commission))),
  refusal: (commission) => {
    if (commission.voidedAt) return "A void commission can't be approved."
    const reasons = heldReasonsOf(commission)
    return reasons.length === 1 && reasons[0] === 'dispute'
      ? 'The customer disputes the payment, so the commission stays held until the dispute ends. Void it if it should not be paid.'
      : null
  },
}

const holding: Decision = {
  kind: 'held',
  typesOf: () => ['tributary.commission.held'],
  changeOf: (commission) => {
    const reasons = heldReasonsOf(commission)
    if (commission.paidAt || commission.voidedAt || reasons.includes('dispute')) return null
    return { ...heldFor([...reasons, 'dispute']), payoutId: null }
  },
  refusal: () => null,
}

/** Ends one reason. Others still hold the commission. */
const releasing = (ended: HeldReason): Decision => ({
  ...approving,
  changeOf: (commission) =>
    released(
      commission,
      heldReasonsOf(commission).filter((reason) => reason !== ended),
    ),
  refusal: () => null,
})

/**
 * Holds commissions while a payment is disputed, or ends that. Those that are paid, sent or void stay unchanged, and so
 * do other reasons that hold them.
 */
export const holdForDispute = async (
  ctx: ProgramCtx,
  commissions: readonly Commission[],
  isDisputed: boolean,
): Promise<void> => {
  const decision = isDisputed ? holding : releasing('dispute')
  const sent = await sentOf(ctx.db, commissions)
  const open = commissions.filter(
    (one) => decision.changeOf(one, ctx.now()) !== null && !sent.some(({ id }) => id === one.id),
  )
  if (open.length > 0) await decide(ctx, open, decision, isDisputed ? 'dispute' : disputeEnded, () => new Error())
}

/** Ends the hold of an affiliate's commissions that waited for the acceptance of terms. */
export async function releaseForTerms(ctx: ProgramCtx, affiliateId: string): Promise<void> {
  const where = { programId: ctx.program.id, affiliateId, heldReason: { not: null }, ...unsettled }
  const held = await ctx.db.commission.findMany({ where })
  const waiting = held.filter((commission) => heldReasonsOf(commission).includes('terms_not_accepted'))
  if (waiting.length > 0) await decide(ctx, waiting, releasing('terms_not_accepted'), termsAccepted, () => new Error())
}

/** Voids a commission that is not paid. Idempotent. @throws NOT_FOUND; INVALID_INPUT; REFUSED if it is paid */
export const voidCommission = async (ctx: ProgramCtx, id: string, raw: unknown = {}): Promise<void> =>
  decideOne(ctx, id, voiding, (await parseInput(voidCommissionInput, raw)).reason)

/**
 * Approves a held commission: it becomes due on its due date, unless a reason that a person cannot end still holds it.
 * @throws NOT_FOUND; REFUSED if it is void, or if only an open dispute holds it
 */
export const approveCommission = (ctx: ProgramCtx, id: string): Promise<void> => decideOne(ctx, id, approving)

/** Voids commissions: all or none. Idempotent. @returns the ids @throws INVALID_INPUT with every bad one */
export async function voidCommissions(ctx: ProgramCtx, raw: unknown): Promise<string[]> {
  const { ids, reason } = await parseInput(voidCommissionsInput, raw)
  return decideAll(ctx, ids, voiding, reason)
}

/**
 * Approves held commissions: all or none. Others stay unchanged.
 * @returns the ids without duplicates, in the order of the input
 * @throws INVALID_INPUT with every commission that is unknown or void, or that only an open dispute holds
 */
export async function approveCommissions(ctx: ProgramCtx, raw: unknown): Promise<string[]> {
  const { ids } = await parseInput(approveCommissionsInput, raw)
  return decideAll(ctx, ids, approving)
}

async function decideOne(ctx: ProgramCtx, namedId: string, decision: Decision, reason?: string): Promise<void> {
  const commission = await findCommission(ctx, namedId)
  await decide(ctx, [commission], decision, reason, ([first]) => refused(first?.message ?? ''))
}

async function decideAll(ctx: ProgramCtx, namedIds: string[], decision: Decision, reason?: string): Promise<string[]> {
  const ids = [...new Set(namedIds)]
  const where = { programId: ctx.program.id, id: { in: ids.filter(isId) } }
  const found = await ctx.db.commission.findMany({ where })
  const known = new Set(found.map(({ id }) => id))
  const unknown = ids.filter((id) => !known.has(id))
  if (unknown.length > 0) throw invalid(unknown.map((id) => problemOf(ids, id, `Commission not found: ${excerpt(id)}`)))
  await decide(ctx, found, decision, reason, (refusals) =>
    invalid(refusals.map(({ id, message }) => problemOf(ids, id, `${message} Its id is ${id}.`))),
  )
  return ids
}

const problemOf = (ids: string[], id: string, message: string): Problem => ({
  field: 'ids',
  path: ['ids', ids.indexOf(id)],
  message,
})

type Refusal = { id: string; message: string }

/** What was sent is fixed, and what was refunded after a payment that came back has debts that count against it. */
async function voidRefusals(tx: Prisma.TransactionClient, commissions: readonly Commission[]): Promise<Refusal[]> {
  const open = commissions.filter(({ paidAt, voidedAt }) => paidAt === null && voidedAt === null)
  const sent = await sentOf(tx, open)
  const counted = await withDebts(tx, open)
  return [
    ...sent.map(({ id }) => ({ id, message: sentRefusal })),
    ...counted.map(({ id }) => ({ id, message: countedRefusal })),
  ]
}

/** Changes all commissions, or none, records the facts, and recalculates the open payouts, in one transaction. */
async function decide(
  ctx: ProgramCtx,
  commissions: readonly Commission[],
  { kind, typesOf, changeOf, refusal }: Decision,
  reason: string | undefined,
  errorOf: (refusals: Refusal[]) => Error,
): Promise<void> {
  const programId = ctx.program.id
  const affiliateIds = [...new Set(commissions.map(({ affiliateId }) => affiliateId))]
  await withTransaction(ctx.db, async (tx) => {
    await lockAffiliates(tx, programId, affiliateIds)
    const where = { programId, id: { in: commissions.map(({ id }) => id) } }
    const locked = await tx.commission.findMany({ where })
    const refusals = locked.flatMap((commission): Refusal[] => {
      const message = refusal(commission)
      return message === null ? [] : [{ id: commission.id, message }]
    })
    if (kind === 'voided') refusals.push(...(await voidRefusals(tx, locked)))
    if (refusals.length > 0) throw errorOf(refusals)
    const now = ctx.now()
    const changed = locked.flatMap((commission) => {
      const change = changeOf(commission, now)
      return change === null ? [] : [{ commission, change }]
    })
    if (changed.length === 0) return
    await write(tx, programId, changed, now)
    const facts = changed.map(({ commission }) => ({ commission, kind, deltaCents: 0n, ...(reason && { reason }) }))
    await recordMoneyEvents(tx, ctx, facts, now)
    const events = changed.flatMap(({ commission: { id }, change }) =>
      eventsOf(id, ['commission.updated', ...typesOf(change)]),
    )
    await recordEvents(tx, ctx, events, now)
    if (kind === 'voided')
      await correctChangedCommissions(
        ctx,
        tx,
        changed.map(({ commission }) => commission),
        now,
      )
    await settleOpenPayouts(tx, ctx, affiliateIds, now)
  })
}

/** One statement for all commissions that change in the same way. */
async function write(
  tx: Prisma.TransactionClient,
  programId: string,
  changed: readonly { commission: Commission; change: Changed }[],
  now: Date,
): Promise<void> {
  for (const group of groupBy(changed, ({ change }) => JSON.stringify(change)).values()) {
    const [{ change }] = group as [(typeof group)[number]]
    const { furtherHeldReasons: further, ...columns } = change
    const { count } = await tx.commission.updateMany({
      where: { programId, id: { in: group.map(({ commission }) => commission.id) }, ...unsettled },
      data: {
        ...columns,
        ...(further !== undefined && { furtherHeldReasons: further ?? Prisma.DbNull }),
        updatedAt: now,
      },
    })
    if (count !== group.length) throw new Error('Commissions changed under the locks of their affiliates.')
  }
}
