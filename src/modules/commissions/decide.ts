import { withTransaction } from '../../database/client/transaction.ts'
import type { Commission, Prisma } from '../../generated/prisma/client.ts'
import type { MoneyEventKind } from '../../generated/prisma/enums.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import { invalid, type Problem, refused } from '../../kernel/errors.ts'
import { isId } from '../../kernel/ids.ts'
import { parseInput } from '../../kernel/input/parse.ts'
import { excerpt } from '../../kernel/text.ts'
import { eventsOf, recordEvents } from '../events/record.ts'
import type { EventType } from '../events/types.ts'
import { recordMoneyEvents } from '../history/money-events.ts'
import { sentOf, sentRefusal } from '../payouts/sent.ts'
import { lockAffiliates, settleOpenPayouts } from '../payouts/settle.ts'
import { countedRefusal, withDebts } from './after-payment.ts'
import { isCredit } from './earned.ts'
import { approveCommissionsInput, voidCommissionInput, voidCommissionsInput } from './input.ts'
import { findCommission } from './service.ts'
import { unsettled } from './state.ts'
import { correctChangedCommissions } from './tier-corrections.ts'

/** What a person decides about commissions that are neither paid nor void. */
type Decision = {
  kind: MoneyEventKind
  /** The events in addition to `commission.updated`. */
  types: readonly EventType[]
  changeAt(now: Date): Prisma.CommissionUncheckedUpdateManyInput
  changes(commission: Commission): boolean
  refusal(commission: Commission): string | null
}

const voiding: Decision = {
  kind: 'voided',
  types: ['commission.voided', 'commission.deleted'],
  changeAt: (now) => ({ voidedAt: now, payoutId: null }),
  changes: ({ voidedAt }) => voidedAt === null,
  refusal: (commission) => {
    if (commission.paidAt) return "A paid commission can't be voided."
    return isCredit(commission) ? "A commission that gives back what a refund had deducted can't be voided." : null
  },
}

const approving: Decision = {
  kind: 'approved',
  types: ['tributary.commission.approved'],
  changeAt: () => ({ heldReason: null }),
  changes: ({ heldReason, paidAt }) => heldReason !== null && paidAt === null,
  refusal: ({ voidedAt }) => (voidedAt ? "A void commission can't be approved." : null),
}

const holding: Decision = {
  kind: 'held',
  types: ['tributary.commission.held'],
  changeAt: () => ({ heldReason: 'dispute', payoutId: null }),
  changes: ({ heldReason, paidAt, voidedAt }) => heldReason === null && paidAt === null && voidedAt === null,
  refusal: () => null,
}

const releasing: Decision = {
  ...approving,
  changes: ({ heldReason, paidAt, voidedAt }) => heldReason === 'dispute' && paidAt === null && voidedAt === null,
  refusal: () => null,
}

/**
 * Holds commissions while a payment is disputed, or ends that. Those that are paid, sent, void, or held for another
 * reason stay unchanged.
 */
export const holdForDispute = async (
  ctx: ProgramCtx,
  commissions: readonly Commission[],
  isDisputed: boolean,
): Promise<void> => {
  const decision = isDisputed ? holding : releasing
  const sent = await sentOf(ctx.db, commissions)
  const open = commissions.filter((one) => decision.changes(one) && !sent.some(({ id }) => id === one.id))
  if (open.length > 0) await decide(ctx, open, decision, isDisputed ? 'dispute' : 'dispute closed', () => new Error())
}

const releasingTerms: Decision = {
  ...releasing,
  changes: ({ heldReason, paidAt, voidedAt }) =>
    heldReason === 'terms_not_accepted' && paidAt === null && voidedAt === null,
}

/** Ends the hold of an affiliate's commissions that waited for the acceptance of terms. */
export async function releaseForTerms(ctx: ProgramCtx, affiliateId: string): Promise<void> {
  const where = { programId: ctx.program.id, affiliateId, heldReason: 'terms_not_accepted', ...unsettled } as const
  const held = await ctx.db.commission.findMany({ where })
  if (held.length > 0) await decide(ctx, held, releasingTerms, 'terms accepted', () => new Error())
}

/** Voids a commission that is not paid. Idempotent. @throws NOT_FOUND; INVALID_INPUT; REFUSED if it is paid */
export const voidCommission = async (ctx: ProgramCtx, id: string, raw: unknown = {}): Promise<void> =>
  decideOne(ctx, id, voiding, (await parseInput(voidCommissionInput, raw)).reason)

/** Approves a held commission: it becomes due on its due date. @throws NOT_FOUND; REFUSED if it is void */
export const approveCommission = (ctx: ProgramCtx, id: string): Promise<void> => decideOne(ctx, id, approving)

/** Voids commissions: all or none. Idempotent. @returns the ids @throws INVALID_INPUT with every bad one */
export async function voidCommissions(ctx: ProgramCtx, raw: unknown): Promise<string[]> {
  const { ids, reason } = await parseInput(voidCommissionsInput, raw)
  return decideAll(ctx, ids, voiding, reason)
}

/**
 * Approves held commissions: all or none. Others stay unchanged.
 * @returns the ids without duplicates, in the order of the input
 * @throws INVALID_INPUT with every commission that is unknown or void
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
  { kind, types, changeAt, changes, refusal }: Decision,
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
    const changed = locked.filter(changes)
    if (changed.length === 0) return
    const now = ctx.now()
    const ids = changed.map(({ id }) => id)
    const { count } = await tx.commission.updateMany({
      where: { programId, id: { in: ids }, ...unsettled },
      data: { ...changeAt(now), updatedAt: now },
    })
    if (count !== ids.length) throw new Error('Commissions changed under the locks of their affiliates.')
    const facts = changed.map((commission) => ({ commission, kind, deltaCents: 0n, ...(reason && { reason }) }))
    await recordMoneyEvents(tx, ctx, facts, now)
    await recordEvents(
      tx,
      ctx,
      ids.flatMap((id) => eventsOf(id, ['commission.updated', ...types])),
      now,
    )
    if (kind === 'voided') await correctChangedCommissions(ctx, tx, changed, now)
    await settleOpenPayouts(tx, ctx, affiliateIds, now)
  })
}
