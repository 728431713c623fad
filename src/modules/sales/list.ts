import type { z } from 'zod'
import type { Prisma, Sale } from '../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import { emailKey } from '../../kernel/email.ts'
import { isId, ownCase } from '../../kernel/ids.ts'
import { parseInput } from '../../kernel/input/parse.ts'
import { carries, type Page, readRows, updatedBetween } from '../../listing/page.ts'
import { listSalesInput } from './input.ts'
import { saleListing } from './listing.ts'

/** @throws INVALID_INPUT */
export async function listSales(
  ctx: ProgramCtx,
  raw: unknown,
  query: Prisma.SaleDefaultArgs = {},
): Promise<Page<Sale>> {
  const input = await parseInput(listSalesInput, raw)
  return readRows(ctx, saleListing, input, salesWhere(ctx, input), query)
}

const salesWhere = (ctx: ProgramCtx, input: z.output<typeof listSalesInput>): Prisma.SaleWhereInput => ({
  programId: ctx.program.id,
  ...updatedBetween(input),
  affiliateId: carries(input.affiliateId),
  campaignId: carries(input.campaignId),
  ...(input.email && { customer: { emailKey: emailKey(input.email) } }),
  ...(input.billingCustomerId && { referral: { billingCustomerId: input.billingCustomerId } }),
  ...(input.customerId && { OR: ofCustomer(input.customerId) }),
})

/** A referral shows the customer's id in the billing system if it has one, else the customer's own id. */
function ofCustomer(id: string): Prisma.SaleWhereInput[] {
  const ownId = ownCase(id)
  return [...(isId(ownId) ? [{ customerId: ownId }] : []), { referral: { billingCustomerId: id } }]
}
