import { withTransaction } from '../../../database/client/transaction.ts'
import type { AffiliateCoupon, Prisma } from '../../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../../kernel/context.ts'
import { notFound } from '../../../kernel/errors.ts'
import { parseInput } from '../../../kernel/input/parse.ts'
import { type References, refuseReferenced } from '../../../kernel/references.ts'
import { eventsOf, recordEvents } from '../../events/record.ts'
import { recordChange } from '../../history/record.ts'
import { discountColumns, discountInWords, readDiscount } from './discount.ts'
import { updateAffiliateCouponInput } from './input.ts'
import { findAffiliateCoupon } from './service.ts'

/** Archives a coupon, or takes that back. Idempotent. @throws NOT_FOUND */
export async function archiveAffiliateCoupon(ctx: ProgramCtx, namedId: string, isArchived: boolean): Promise<void> {
  const found = await findAffiliateCoupon(ctx, namedId)
  const { id } = found
  await withTransaction(ctx.db, async (tx) => {
    const before = await lockCoupon(tx, ctx, found)
    if ((before.archivedAt !== null) === isArchived) return
    const now = ctx.now()
    const data = { archivedAt: isArchived ? now : null, updatedAt: now }
    const after = await tx.affiliateCoupon.update({ where: keyOf(before), data })
    const action = isArchived ? 'coupon_archived' : 'coupon_unarchived'
    const what = { subject: 'affiliate', subjectId: before.affiliateId, action, named: ['token'] } as const
    await recordChange(tx, ctx, what, before, after, now)
    const specific = isArchived ? 'affiliate_coupon.deactivated' : 'affiliate_coupon.activated'
    await recordEvents(tx, ctx, eventsOf(id, ['affiliate_coupon.updated', specific]), now)
  })
}

/** Changes the discount of a coupon. @throws NOT_FOUND; INVALID_INPUT */
export async function updateAffiliateCoupon(ctx: ProgramCtx, namedId: string, raw: unknown): Promise<void> {
  const found = await findAffiliateCoupon(ctx, namedId)
  const { discount } = await parseInput(
    updateAffiliateCouponInput,
    raw,
    ({ discount }) => readDiscount(discount, ctx.program).problems,
  )
  if (discount === undefined) return
  await withTransaction(ctx.db, async (tx) => {
    const before = await lockCoupon(tx, ctx, found)
    const now = ctx.now()
    const data = { ...discountColumns(readDiscount(discount, ctx.program).value), updatedAt: now }
    const [from, to] = [before, data].map(discountInWords)
    if (from === to) return
    await tx.affiliateCoupon.update({ where: keyOf(before), data })
    const { affiliateId, token } = before
    const what = {
      subject: 'affiliate',
      subjectId: affiliateId,
      action: 'coupon_discount_changed',
      named: ['token'],
    } as const
    await recordChange(tx, ctx, what, { token, discount: from }, { token, discount: to }, now)
    await recordEvents(tx, ctx, eventsOf(found.id, ['affiliate_coupon.updated']), now)
  })
}

/** Deletes a coupon that nothing refers to. @returns its id @throws NOT_FOUND; REFUSED with what refers to it */
export async function deleteAffiliateCoupon(ctx: ProgramCtx, namedId: string): Promise<string> {
  const found = await findAffiliateCoupon(ctx, namedId)
  const { id } = found
  return withTransaction(ctx.db, async (tx) => {
    // The lock also keeps new rows from referring to the coupon.
    const before = await lockCoupon(tx, ctx, found)
    const [references] = await tx.$queryRaw<[References]>`
      select (select count(*) from referrals where program_id = ${ctx.program.id}::uuid and coupon_id = ${id}::uuid)::int as referrals,
        (select count(*) from imported_records where program_id = ${ctx.program.id}::uuid and id = ${id}::uuid)::int
          as imported_records`
    refuseReferenced('coupon', references)
    const now = ctx.now()
    await recordEvents(tx, ctx, eventsOf(id, ['affiliate_coupon.deleted']), now)
    await tx.affiliateCoupon.delete({ where: keyOf(before) })
    const what = { subject: 'affiliate', subjectId: before.affiliateId, action: 'coupon_deleted' } as const
    await recordChange(tx, ctx, what, before, null, now)
    return id
  })
}

const keyOf = ({ programId, id }: AffiliateCoupon) => ({ programId_id: { programId, id } })

/**
 * Locks the affiliate first, as sales do: the database then chooses which of the affiliate's coupons is the first.
 * @throws NOT_FOUND if the coupon was deleted meanwhile
 */
async function lockCoupon(
  tx: Prisma.TransactionClient,
  { program }: ProgramCtx,
  { id, affiliateId }: AffiliateCoupon,
): Promise<AffiliateCoupon> {
  await tx.$queryRaw`select 1 from affiliates where program_id = ${program.id}::uuid and id = ${affiliateId}::uuid for no key update`
  await tx.$queryRaw`select 1 from affiliate_coupons where program_id = ${program.id}::uuid and id = ${id}::uuid for update`
  const coupon = await tx.affiliateCoupon.findUnique({ where: { programId_id: { programId: program.id, id } } })
  if (!coupon) throw notFound('Affiliate coupon', id)
  return coupon
}
