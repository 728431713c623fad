import type { z } from 'zod'
import type { Prisma, Sale } from '../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import { emailKey } from '../../kernel/email.ts'
import { isId, ownCase } from '../../kernel/ids.ts'
import { parseInput } from '../../kernel/input/parse.ts'
import { unfiltered } from '../../listing/kept-counts.ts'
import { baseFields, cents, currency, id, instant, many, one, text, word } from '../../listing/listing.ts'
import { carries, type Page, readRows, updatedBetween } from '../../listing/page.ts'
import { defineListing } from '../../listing/registry.ts'
import { listSalesInput } from './input.ts'

export const saleListing = defineListing({
  noun: 'Sale',
  model: 'sale',
  forAffiliate: true,
  fields: {
    ...baseFields,
    updatedAt: instant('updatedAt'),
    externalId: text('externalId', { nullable: true }),
    amountCents: cents('amountCents'),
    currency: currency('currency'),
    refundedCents: cents('refundedCents'),
    occurredAt: instant('occurredAt'),
    attributedBy: word('attributedBy', 'AttributionSignal'),
    noCommissionReason: word('noCommissionReason', 'NoCommissionReason', { nullable: true }),
    affiliateId: id('affiliateId'),
    campaignId: id('campaignId'),
    referralId: id('referralId'),
    affiliate: one('affiliate', 'Affiliate'),
    campaign: one('campaign', 'Campaign'),
    referral: one('referral', 'Referral'),
    customer: one('customer', 'Customer'),
    commissions: many('commissions', 'Commission'),
    refunds: many('refunds', 'Refund'),
  },
  orders: { updatedAt: 'updatedAt', occurredAt: 'occurredAt', amount: 'amountCents' },
  numbers: {
    amount: { column: 'amountCents', isMoney: true },
    refunded: { column: 'refundedCents', isMoney: true },
  },
  exportPath: '/v1/exports/sales',
  kept: {
    ...unfiltered('sales'),
    rollup: {
      dimensions: { affiliateId: 'affiliate_id', campaignId: 'campaign_id', currency: 'currency' },
      classes: [{ rows: {}, terms: [{ kind: 'sale', factor: 1 }] }],
    },
  },
  groups: ['affiliateId', 'campaignId', 'currency', 'attributedBy', 'noCommissionReason'],
})

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
