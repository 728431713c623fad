import { withTransaction } from '../../../database/client/transaction.ts'
import type { AffiliateCoupon, Prisma } from '../../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../../kernel/context.ts'
import { notFound } from '../../../kernel/errors.ts'
import { parseInput } from '../../../kernel/input/parse.ts'
import type { References } from '../../../kernel/references.ts'
import { eventsOf, recordEvents } from '../../events/record.ts'
import { recordChange } from '../../history/record.ts'
import { archiveToken, deleteToken, type TokenKind } from '../change-token.ts'
import { discountColumns, discountInWords, readDiscount } from './discount.ts'
import { updateAffiliateCouponInput } from './input.ts'
import { findAffiliateCoupon } from './service.ts'

/** Archives a coupon, or takes that back. Idempotent. @throws NOT_FOUND */
export const archiveAffiliateCoupon = (ctx: ProgramCtx, namedId: string, isArchived: boolean): Promise<void> =>
  archiveToken(coupon, ctx, namedId, isArchived)

/** Deletes a coupon that nothing refers to. @returns its id @throws NOT_FOUND; REFUSED with what refers to it */
export const deleteAffiliateCoupon = (ctx: ProgramCtx, namedId: string): Promise<string> =>
  deleteToken(coupon, ctx, namedId)

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
    const before = await lockCoupon(tx, found)
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

const keyOf = ({ programId, id }: AffiliateCoupon) => ({ programId_id: { programId, id } })

const coupon: TokenKind<AffiliateCoupon> = {
  noun: 'coupon',
  find: findAffiliateCoupon,
  lock: lockCoupon,
  update: (tx, row, data) => tx.affiliateCoupon.update({ where: keyOf(row), data }),
  delete: (tx, row) => tx.affiliateCoupon.delete({ where: keyOf(row) }),
  async countReferences(tx, { programId, id }) {
    const [references] = await tx.$queryRaw<[References]>`
      select (select count(*) from referrals where program_id = ${programId}::uuid and coupon_id = ${id}::uuid)::int as referrals,
        (select count(*) from imported_records where program_id = ${programId}::uuid and id = ${id}::uuid)::int
          as imported_records`
    return references
  },
  events: {
    archived: ['affiliate_coupon.updated', 'affiliate_coupon.deactivated'],
    unarchived: ['affiliate_coupon.updated', 'affiliate_coupon.activated'],
    deleted: ['affiliate_coupon.deleted'],
  },
}

/** Locks the affiliate first, as sales do: the database then chooses which of the affiliate's coupons is the first. */
async function lockCoupon(tx: Prisma.TransactionClient, row: AffiliateCoupon): Promise<AffiliateCoupon> {
  const { programId, id, affiliateId } = row
  await tx.$queryRaw`select 1 from affiliates where program_id = ${programId}::uuid and id = ${affiliateId}::uuid for no key update`
  await tx.$queryRaw`select 1 from affiliate_coupons where program_id = ${programId}::uuid and id = ${id}::uuid for update`
  const locked = await tx.affiliateCoupon.findUnique({ where: keyOf(row) })
  if (!locked) throw notFound('Affiliate coupon', id)
  return locked
}
