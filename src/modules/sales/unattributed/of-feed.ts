import { isDeepStrictEqual } from 'node:util'
import { sqlWithin } from '../../../database/client/sql.ts'
import { withTransaction } from '../../../database/client/transaction.ts'
import { Prisma, type UnattributedSale } from '../../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../../kernel/context.ts'
import { mintId, momentOfId } from '../../../kernel/ids.ts'
import { eventsOf, recordEvents } from '../../events/record.ts'
import { lockExternalIds } from '../../referrals/lock.ts'
import type { SignalOutcome, TriedSignal } from '../decision.ts'
import { findKnownSale } from '../report/facts.ts'
import { deleteExpired, isOfFeed, keptSince, storedReport } from '../report/keep-unattributed.ts'
import type { ReadReport } from '../report/read-report.ts'

/** A sale of a feed that no affiliate brought. `raw` is its report, `heardAt` when the feed first told of it. */
export type SaleOfFeed = { report: ReadReport; raw: object; signals: TriedSignal[]; heardAt: Date }

/** A signal with one of these outcomes is that of an affiliate, although it does not bring the sale. */
const pointing: readonly SignalOutcome[] = ['expired', 'affiliate_not_active', 'archived']

/**
 * Whether something of a sale points to an affiliate: a coupon, a referral, or the e-mail of a lead. A code that no
 * affiliate has is the company's own. A value where a referral is expected can be an id of the shop.
 */
export const pointsToAffiliate = (signals: readonly TriedSignal[], referralId: string | null): boolean =>
  signals.some(
    ({ signal, outcome }) =>
      pointing.includes(outcome) ||
      (signal === 'referral_id' && outcome === 'not_found' && momentOfId(referralId ?? '') !== null),
  )

/** What is to be kept of the sale. Null if it is expired. */
function wantedOf(ctx: ProgramCtx, { report, raw, signals, heardAt }: SaleOfFeed) {
  if (heardAt < keptSince(ctx.now())) return null
  const kept = storedReport(ctx, report, raw, signals)
  const externalId = report.input.externalId ?? null
  const needsAttention = pointsToAffiliate(signals, kept.referralId)
  return { occurredAt: heardAt, ...kept, externalId, needsAttention }
}

type Wanted = NonNullable<ReturnType<typeof wantedOf>>

/** Items are null in a row, and a mark of Prisma in a write. */
const comparable = ({ items, ...rest }: Wanted) => ({ ...rest, items: items === Prisma.DbNull ? null : items })

function isAsWanted(row: UnattributedSale, wanted: Wanted): boolean {
  const own = Object.fromEntries(Object.keys(wanted).map((key) => [key, row[key as keyof UnattributedSale]]))
  return isDeepStrictEqual(own, comparable(wanted))
}

/** Whether what is kept of a payment differs from what is to be kept: nothing, if `sale` is null. */
export function keepsOtherwise(ctx: ProgramCtx, kept: readonly UnattributedSale[], sale: SaleOfFeed | null): boolean {
  const ofFeed = kept.filter(isOfFeed)
  const wanted = sale && ofFeed.length === kept.length ? wantedOf(ctx, sale) : null
  const [first, ...others] = ofFeed
  return wanted ? !first || others.length > 0 || !isAsWanted(first, wanted) : ofFeed.length > 0
}

/**
 * Brings what is kept of a payment to what the feed says of it now: one sale without an affiliate, or nothing, if the
 * payment has an affiliate or does not count. What a report or a person has kept stays.
 * @param ids all external ids of the payment
 */
export const keepSaleOfFeed = (ctx: ProgramCtx, ids: readonly string[], sale: SaleOfFeed | null): Promise<void> =>
  withTransaction(ctx.db, async (tx) => {
    const programId = ctx.program.id
    const now = ctx.now()
    const sql = sqlWithin(tx)
    // A report takes this lock too.
    await lockExternalIds(sql, programId, ids)
    await deleteExpired(tx, programId, now)
    const isRecorded = (await findKnownSale(sql, programId, ...ids)) !== null
    const where = { programId, externalId: { in: [...ids] } }
    const kept = await tx.unattributedSale.findMany({ where, orderBy: { id: 'asc' } })
    const ofFeed = kept.filter(isOfFeed)
    const isFree = !isRecorded && ofFeed.length === kept.length
    const wanted = sale && isFree ? wantedOf(ctx, sale) : null
    const [first, ...others] = ofFeed
    const surplus = wanted ? others : ofFeed
    const ofIds = { programId, id: { in: surplus.map(({ id }) => id) } }
    if (surplus.length > 0) await tx.unattributedSale.deleteMany({ where: ofIds })
    if (!wanted || (first && isAsWanted(first, wanted))) return
    const data = { ...wanted, updatedAt: now }
    const heardAt = sale?.heardAt ?? now
    const row = first
      ? await tx.unattributedSale.update({ where: { programId_id: { programId, id: first.id } }, data })
      : await tx.unattributedSale.create({ data: { ...data, programId, id: mintId(heardAt), createdAt: heardAt } })
    // An event for each sale of a company that no affiliate has touched would be noise.
    if (wanted.needsAttention && !first?.needsAttention)
      await recordEvents(tx, ctx, eventsOf(row.id, ['tributary.sale.unattributed']), now)
  })
