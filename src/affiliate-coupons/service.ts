import { tokenKey } from '../affiliate-links/tokens.ts'
import { referredAffiliate } from '../affiliates/find.ts'
import { recordChange } from '../changes/record.ts'
import type { ProgramCtx } from '../context.ts'
import { isUniqueViolation } from '../database/errors.ts'
import { withTransaction } from '../database/transaction.ts'
import { invalid, type Problem } from '../errors.ts'
import type { AffiliateCoupon, Prisma } from '../generated/prisma/client.ts'
import { mintId } from '../ids.ts'
import { parseInput, problem } from '../input/parse.ts'
import { findById } from '../lookup.ts'
import { carries, type Page, readPage, updatedBetween } from '../pagination/page.ts'
import { createAffiliateCouponInput, listAffiliateCouponsInput } from './input.ts'

const tokenTaken = problem('token', 'is already in use.')
const secondCoupon: Problem = { field: 'affiliateId', message: 'Affiliate already has a coupon.' }

export async function createAffiliateCoupon(ctx: ProgramCtx, raw: unknown): Promise<AffiliateCoupon> {
  const input = await parseInput(createAffiliateCouponInput, raw, (readable) => couponProblems(ctx, readable))
  const now = ctx.now()
  const { affiliateId, token } = input
  try {
    return await withTransaction(ctx.db, async (tx) => {
      const made = { programId: ctx.program.id, id: mintId(now), createdAt: now, updatedAt: now }
      const coupon = await tx.affiliateCoupon.create({
        data: { ...made, affiliateId, token, tokenKey: tokenKey(token) },
      })
      const what = { subject: 'affiliate', subjectId: affiliateId, action: 'coupon_created' } as const
      await recordChange(tx, ctx, what, null, { token }, now)
      return coupon
    })
  } catch (error) {
    if (isUniqueViolation(error, 'token_key')) throw invalid([tokenTaken])
    if (isUniqueViolation(error, 'affiliate_id')) throw invalid([secondCoupon])
    throw error
  }
}

async function couponProblems(ctx: ProgramCtx, input: { affiliateId?: string; token?: string }): Promise<Problem[]> {
  const problems: Problem[] = []
  const programId = ctx.program.id
  const affiliate = await referredAffiliate(ctx, input.affiliateId)
  if (affiliate && 'message' in affiliate) problems.push(affiliate)
  else if (affiliate) {
    const key = { programId_affiliateId: { programId, affiliateId: affiliate.id } }
    if (await ctx.db.affiliateCoupon.findUnique({ where: key, select: { id: true } })) problems.push(secondCoupon)
  }
  if (input.token) {
    const key = { programId_tokenKey: { programId, tokenKey: tokenKey(input.token) } }
    if (await ctx.db.affiliateCoupon.findUnique({ where: key, select: { id: true } })) problems.push(tokenTaken)
  }
  return problems
}

/** @throws NOT_FOUND */
export async function findAffiliateCoupon(
  ctx: ProgramCtx,
  id: string,
  query: Prisma.AffiliateCouponDefaultArgs = {},
): Promise<AffiliateCoupon> {
  const where = { programId_id: { programId: ctx.program.id, id } }
  return findById('Affiliate coupon', id, () => ctx.db.affiliateCoupon.findUnique({ ...query, where }))
}

export async function listAffiliateCoupons(
  ctx: ProgramCtx,
  raw: unknown,
  query: Prisma.AffiliateCouponDefaultArgs = {},
): Promise<Page<AffiliateCoupon>> {
  const input = await parseInput(listAffiliateCouponsInput, raw)
  const where = { programId: ctx.program.id, ...updatedBetween(input), affiliateId: carries(input.affiliateId) }
  return readPage(
    input,
    () => ctx.db.affiliateCoupon.count({ where }),
    (window) => ctx.db.affiliateCoupon.findMany({ ...query, where, ...window }),
  )
}
