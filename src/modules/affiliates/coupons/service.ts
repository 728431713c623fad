import { withTransaction, writeUnique } from '../../../database/client/transaction.ts'
import { insertRows } from '../../../database/client/write.ts'
import type { AffiliateCoupon, Prisma } from '../../../generated/prisma/client.ts'
import { inBatchTurn } from '../../../kernel/batches.ts'
import type { ProgramCtx } from '../../../kernel/context.ts'
import type { Problem } from '../../../kernel/errors.ts'
import { mintId } from '../../../kernel/ids.ts'
import { allOrNone, type Place, placeIn, readEntries } from '../../../kernel/input/entries.ts'
import { parseInput } from '../../../kernel/input/parse.ts'
import { findByIdOrImportedId, inOrder } from '../../../kernel/lookup.ts'
import { inSlices } from '../../../kernel/slices.ts'
import { newCoupon } from '../../../resources/affiliate-coupons.ts'
import { eventsOf, recordEvents } from '../../events/record.ts'
import { type Recorder, recordChanges } from '../../history/record.ts'
import { referredAffiliates, unknownAffiliate } from '../find.ts'
import { areTokensTaken, tokenTaken } from '../free-tokens.ts'
import { couponKey } from './code.ts'
import { type Discount, discountColumns, discountInWords, readDiscount } from './discount.ts'
import { createAffiliateCouponInput, createAffiliateCouponsInput } from './input.ts'

export async function createAffiliateCoupon(ctx: ProgramCtx, raw: unknown): Promise<AffiliateCoupon> {
  const [coupon] = await makeCoupons(ctx, [raw], placeIn())
  return coupon as AffiliateCoupon
}

/** Adds coupons to affiliates, in order: all or none. @throws INVALID_INPUT with every problem of every entry */
export async function createAffiliateCoupons(ctx: ProgramCtx, raw: unknown): Promise<AffiliateCoupon[]> {
  const { affiliateCoupons } = await parseInput(createAffiliateCouponsInput, raw)
  return inBatchTurn(ctx, () => makeCoupons(ctx, affiliateCoupons, placeIn('affiliateCoupons')))
}

const makeCoupons = (ctx: ProgramCtx, raws: readonly unknown[], place: Place): Promise<AffiliateCoupon[]> =>
  writeUnique(
    async () =>
      allOrNone(
        await readEntries(createAffiliateCouponInput, raws, (readable) => couponProblems(ctx, readable)),
        place,
      ),
    (inputs) => {
      const coupons = inputs.map((input) => ({ ...input, discount: readDiscount(input.discount, ctx.program).value }))
      return withTransaction(ctx.db, (tx) => insertCoupons(tx, ctx, coupons, ctx.now()))
    },
  )

type NewCoupon = { affiliateId: string; token: string; discount?: Discount | null }

/** Inserts coupons, in the given order. The caller has checked that the tokens are free. */
export async function insertCoupons(
  tx: Prisma.TransactionClient,
  ctx: Recorder,
  inputs: readonly NewCoupon[],
  now: Date,
): Promise<AffiliateCoupon[]> {
  const rowOf = ({ affiliateId, token, discount }: NewCoupon) => ({
    programId: ctx.program.id,
    id: mintId(now),
    affiliateId,
    token,
    tokenKey: couponKey(token),
    createdAt: now,
    updatedAt: now,
    ...newCoupon,
    ...discountColumns(discount),
  })
  const coupons = await inSlices(inputs, async (slice) => {
    const data = slice.map(rowOf)
    await insertRows(tx, 'affiliate_coupons', data)
    return data
  })
  const changes = coupons.map((coupon) => ({
    subject: 'affiliate' as const,
    subjectId: coupon.affiliateId,
    action: 'coupon_created' as const,
    before: null,
    after: { token: coupon.token, discount: discountInWords(coupon) },
  }))
  await recordChanges(tx, ctx, changes, now)
  const created = coupons.flatMap(({ id }) => eventsOf(id, ['affiliate_coupon.created']))
  await recordEvents(tx, ctx, created, now)
  return coupons
}

type CouponInput = { affiliateId?: string; token?: string; discount?: unknown }

async function couponProblems(ctx: ProgramCtx, inputs: CouponInput[]): Promise<Problem[][]> {
  const ids = inputs.map(({ affiliateId }) => affiliateId)
  const known = await referredAffiliates(ctx, ids)
  const taken = await areCouponTokensTaken(ctx, inputs)
  return ids.map((id, index) => [
    ...(id !== undefined && !known.has(id) ? [unknownAffiliate] : []),
    ...(taken[index] ? [tokenTaken] : []),
    ...readDiscount(inputs[index]?.discount, ctx.program).problems,
  ])
}

/** Whether each token belongs to a coupon of the program, or to an earlier input. */
export const areCouponTokensTaken = (
  ctx: ProgramCtx,
  inputs: readonly { token?: string | undefined }[],
): Promise<boolean[]> =>
  areTokensTaken(inputs, couponKey, (keys) =>
    ctx.db.affiliateCoupon.findMany({
      where: { programId: ctx.program.id, tokenKey: { in: keys } },
      select: { tokenKey: true },
    }),
  )

/** @throws NOT_FOUND */
export async function findAffiliateCoupon(
  ctx: ProgramCtx,
  id: string,
  query: Prisma.AffiliateCouponDefaultArgs = {},
): Promise<AffiliateCoupon> {
  return findByIdOrImportedId(ctx, 'affiliate_coupon', id, (where) =>
    ctx.db.affiliateCoupon.findUnique({ where, ...query }),
  )
}

export async function findAffiliateCoupons(
  ctx: ProgramCtx,
  ids: readonly string[],
  query: Prisma.AffiliateCouponDefaultArgs = {},
): Promise<AffiliateCoupon[]> {
  const where = { programId: ctx.program.id, id: { in: [...ids] } }
  return inOrder(ids, await ctx.db.affiliateCoupon.findMany({ ...query, where }))
}
