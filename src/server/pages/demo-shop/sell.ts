import type { ProgramCtx } from '../../../kernel/context.ts'
import { commissionState } from '../../../modules/commissions/state.ts'
import { reportConversion } from '../../../modules/sales/report-sale.ts'

export const priceCents = 4_900

/**
 * Reports a sale with the referral id from the page, as a shop's server does after a payment. A real shop calls the
 * REST API for this, with a secret key that is never in a page.
 * @throws INVALID_INPUT; REFUSED if no active affiliate matches the sale
 */
export async function sellToVisitor(ctx: ProgramCtx, referralId: unknown): Promise<object> {
  const { saleId } = await reportConversion(ctx, { referralId, amountCents: priceCents })
  const sale = await ctx.db.sale.findUniqueOrThrow({
    where: { programId_id: { programId: ctx.program.id, id: saleId } },
    include: { commissions: true },
  })
  const [commission] = sale.commissions
  return {
    sale_id: sale.id,
    amount_cents: Number(sale.amountCents),
    currency: sale.currency,
    attributed_by: sale.attributedBy,
    no_commission_reason: sale.noCommissionReason,
    commission: commission
      ? {
          id: commission.id,
          amount_cents: Number(commission.amountCents),
          state: commissionState(commission, ctx.now()),
          due_at: commission.dueAt.toISOString(),
        }
      : null,
  }
}
