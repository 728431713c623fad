import type { ProgramCtx } from '../../../kernel/context.ts'

export type CouponCounts = { leads: number; conversions: number }

/** The leads and conversions among the referrals that each coupon created, in the order of the ids. Runs one statement. */
export async function countByCoupon({ db, program }: ProgramCtx, ids: readonly string[]): Promise<CouponCounts[]> {
  const rows = await db.referral.groupBy({
    by: ['couponId'],
    where: { programId: program.id, couponId: { in: [...ids] } },
    _count: { becameLeadAt: true, becameConversionAt: true },
  })
  const found = new Map(rows.map(({ couponId, _count }) => [couponId, _count]))
  return ids.map((id) => {
    const counts = found.get(id)
    return { leads: counts?.becameLeadAt ?? 0, conversions: counts?.becameConversionAt ?? 0 }
  })
}
