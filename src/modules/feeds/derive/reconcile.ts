import type { Refund as RefundRow } from '../../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../../kernel/context.ts'
import { holdForDispute } from '../../commissions/decide.ts'
import { heldReasonsOf } from '../../referrals/held-reasons.ts'
import { reverseRefund } from '../../sales/refunds/reverse.ts'
import { refundSale } from '../../sales/refunds/service.ts'
import type { PlannedSale } from './fold.ts'
import type { RecordedSale } from './recorded.ts'
import { type Target, targetOf } from './returned.ts'

/** A step that brings a sale to what the billing system says. */
export type Step =
  | { do: 'refund'; cents: bigint; externalId: string; at: string | undefined }
  | { do: 'reverse'; refundId: string; reason: string }
  | { do: 'hold' | 'release' }

/** Ids of refunds of one customer: those that events name, and those that are recorded, of any sale. */
export type RefundIds = { named: ReadonlySet<string>; taken: ReadonlySet<string | null> }

/** What differs between a recorded sale and what the billing system says. None if all is as it says. */
export function stepsOf(
  sale: RecordedSale,
  planned: Pick<PlannedSale, 'ids' | 'returned' | 'voided'>,
  paidCents: bigint,
  refundIds: RefundIds,
): Step[] {
  const { named } = refundIds
  const taken = new Set(refundIds.taken)
  const target = targetOf(planned.returned, paidCents, sale.amountCents)
  const steps: Step[] = []
  const disputes = new Set([...target.lost.map(({ id }) => id), ...target.won])
  const rows = sale.refunds.filter(({ reversedAt }) => reversedAt === null)
  let openCents = sale.amountCents - sale.refundedCents
  const refund = (cents: bigint, wanted: string, at: string | undefined) => {
    const amount = cents < openCents ? cents : openCents
    if (amount <= 0n) return
    const externalId = freshId(wanted, taken)
    taken.add(externalId)
    steps.push({ do: 'refund', cents: amount, externalId, at })
    openCents -= amount
  }
  const reverse = ({ id, amountCents }: RefundRow, reason: string) => {
    steps.push({ do: 'reverse', refundId: id, reason })
    openCents += amountCents
  }
  const held = sale.commissions.filter((one) => heldReasonsOf(one).includes('dispute'))
  // A void commission cannot be released, so the hold ends before a lost dispute is refunded.
  if (!target.isDisputed && held.some(({ voidedAt }) => voidedAt === null)) steps.push({ do: 'release' })
  for (const row of rows) if (target.won.some((id) => isOf(row, id))) reverse(row, 'dispute won')
  let refunded = 0n
  const others = rows.filter((row) => ![...disputes].some((id) => isOf(row, id)))
  for (const { amountCents } of others) refunded += amountCents
  if (planned.voided) {
    refund(openCents, `${planned.ids[0]}:void`, planned.voided.at)
    return steps
  }
  // Refunds that failed later. Those that are smaller than the rest come back first.
  const ours = [...others].sort((a, b) => b.id.localeCompare(a.id))
  for (const row of ours) {
    if (refunded <= target.refundedCents || !isNamed(row, named)) continue
    reverse(row, 'refund failed')
    refunded -= row.amountCents
  }
  const missing = target.refundedCents - refunded
  if (missing > 0n) {
    const id = nextRefundId(target, planned, taken)
    refund(missing, id, timeOf(id, planned.returned))
  }
  for (const { id, cents } of target.lost)
    if (!rows.some((row) => isOf(row, id))) refund(cents, id, timeOf(id, planned.returned))
  if (target.isDisputed) steps.push({ do: 'hold' })
  else if (held.some(({ voidedAt }) => voidedAt !== null)) steps.push({ do: 'release' })
  return steps
}

/** Steps that reverse the refunds of a feed, so that the amount of the sale can change. They come again after it. */
export function reversalsOf({ refunds }: RecordedSale, named: ReadonlySet<string>): Step[] {
  const ours = refunds.filter((row) => row.reversedAt === null && isNamed(row, named))
  return ours.map(({ id }) => ({ do: 'reverse', refundId: id, reason: 'the amount of the sale has changed' }))
}

/** When a refund was made: as its event says, else that of the last sum. */
function timeOf(id: string, { refunds, disputes, totals }: PlannedSale['returned']): string | undefined {
  const own = [...refunds, ...disputes].filter((one) => one.id === id).map(({ at }) => at)
  return (
    own.sort()[0] ??
    totals
      .map(({ at }) => at)
      .sort()
      .at(-1)
  )
}

/** Ids that were used before get a number: a refund that was reversed and made again. */
function freshId(wanted: string, taken: ReadonlySet<string | null>): string {
  for (let number = 1; ; number += 1) {
    const id = number === 1 ? wanted : `${wanted}#${number}`
    if (!taken.has(id)) return id
  }
}

const isOf = ({ externalId }: RefundRow, id: string) => externalId === id || externalId?.startsWith(`${id}#`) === true

/** Whether a feed has made the refund: it has an id that events name. */
function isNamed({ externalId }: RefundRow, named: ReadonlySet<string>): boolean {
  if (externalId === null) return false
  const unnumbered = externalId.replace(/#\d+$/, '')
  return named.has(externalId) || named.has(unnumbered) || named.has(unnumbered.replace(/\/\d+$/, ''))
}

/** The id of the newest refund that is not recorded yet, else of the charge with its sum. */
const nextRefundId = (
  target: Target,
  { ids, returned }: Pick<PlannedSale, 'ids' | 'returned'>,
  taken: ReadonlySet<string | null>,
) =>
  target.refundIds.findLast((id) => !taken.has(id)) ?? `${returned.totals.at(-1)?.id ?? ids[0]}/${target.refundedCents}`

/** Applies steps. Each is a verb of its own, and idempotent, so that a crash between them loses nothing. */
export async function applySteps(ctx: ProgramCtx, sale: RecordedSale, steps: readonly Step[]): Promise<void> {
  for (const step of steps) {
    if (step.do === 'refund')
      await refundSale(ctx, {
        saleId: sale.id,
        amountCents: step.cents,
        refundExternalId: step.externalId,
        // The clock of a sandbox is another one.
        occurredAt: step.at && new Date(step.at) <= ctx.now() ? new Date(step.at) : undefined,
      })
    else if (step.do === 'reverse') await reverseRefund(ctx, { refundId: step.refundId, reason: step.reason })
    else {
      const where = { programId: sale.programId, saleId: sale.id }
      await holdForDispute(ctx, await ctx.db.commission.findMany({ where }), step.do === 'hold')
    }
  }
}
