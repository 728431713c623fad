import type { z } from 'zod'
import type { Commission, Prisma } from '../../generated/prisma/client.ts'
import { HeldReason } from '../../generated/prisma/enums.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import { parseInput } from '../../kernel/input/parse.ts'
import { unfiltered } from '../../listing/kept-counts.ts'
import { baseFields, cents, currency, id, instant, one, state, word } from '../../listing/listing.ts'
import { carries, type Page, readRows, updatedBetween } from '../../listing/page.ts'
import { defineListing } from '../../listing/registry.ts'
import { commissions } from '../../resources/commissions.ts'
import { commissionStates, listCommissionsInput } from './input.ts'

export const commissionListing = defineListing({
  noun: 'Commission',
  model: 'commission',
  forAffiliate: true,
  fields: {
    ...baseFields,
    updatedAt: instant('updatedAt'),
    state: state('CommissionState', commissionStates, commissions.states.where),
    amountCents: cents('amountCents'),
    currency: currency('currency'),
    occurredAt: instant('occurredAt', {
      description: 'When the sale or refund occurred that the commission is for, or the commission was given.',
    }),
    dueAt: instant('dueAt'),
    paidAt: instant('paidAt', { nullable: true }),
    voidedAt: instant('voidedAt', { nullable: true }),
    heldReason: word('heldReason', 'HeldReason', { nullable: true }),
    heldReasons: {
      ...state('HeldReason', Object.values(HeldReason), (word) => ({
        OR: [{ heldReason: word }, { furtherHeldReasons: { array_contains: [word] } }],
      })),
      description: 'Matches commissions that one of these reasons holds, perhaps beside others.',
    },
    affiliateId: id('affiliateId'),
    campaignId: id('campaignId'),
    kind: word('kind', 'CommissionKind'),
    referralId: id('referralId', { nullable: true }),
    saleId: id('saleId', { nullable: true }),
    payoutId: id('payoutId', { nullable: true }),
    affiliate: one('affiliate', 'Affiliate'),
    campaign: one('campaign', 'Campaign'),
    referral: one('referral', 'Referral'),
    sale: one('sale', 'Sale'),
    payout: one('payout', 'Payout'),
    refund: one('refund', 'Refund'),
  },
  orders: { updatedAt: 'updatedAt', occurredAt: 'occurredAt', dueAt: 'dueAt', amount: 'amountCents' },
  numbers: { amount: { column: 'amountCents', isMoney: true } },
  exportPath: '/v1/exports/commissions',
  kept: {
    ...unfiltered('commissions'),
    rollup: {
      dimensions: { affiliateId: 'affiliate_id', campaignId: 'campaign_id', currency: 'currency' },
      // Accrued are all that are not void. Due are those that a payout can have, at their due date.
      classes: [
        { rows: { voidedAt: 'value', paidAt: 'null' }, terms: [{ kind: 'voided', factor: 1 }] },
        { rows: { voidedAt: 'null', paidAt: 'value', heldReason: 'null' }, terms: [{ kind: 'paid', factor: 1 }] },
        {
          rows: { voidedAt: 'null', paidAt: 'null', heldReason: 'null', dueAt: 'until' },
          terms: [{ kind: 'due', factor: 1, part: 'until' }],
        },
        {
          rows: { voidedAt: 'null', paidAt: 'null', heldReason: 'null', dueAt: 'after' },
          terms: [{ kind: 'due', factor: 1, part: 'after' }],
        },
        {
          rows: { voidedAt: 'null', paidAt: 'null', heldReason: 'value' },
          terms: [
            { kind: 'accrued', factor: 1 },
            { kind: 'paid', factor: -1 },
            { kind: 'due', factor: -1 },
          ],
        },
      ],
    },
  },
  groups: ['affiliateId', 'campaignId', 'currency', 'payoutId', 'state', 'heldReason', 'kind'],
})

export async function listCommissions(
  ctx: ProgramCtx,
  raw: unknown,
  query: Prisma.CommissionDefaultArgs = {},
): Promise<Page<Commission>> {
  const input = await parseInput(listCommissionsInput, raw)
  const where = commissionsWhere(ctx, input)
  return readRows(ctx, commissionListing, input, where, query)
}

export function commissionsWhere(
  ctx: ProgramCtx,
  input: z.output<typeof listCommissionsInput>,
): Prisma.CommissionWhereInput {
  const now = ctx.now()
  return {
    programId: ctx.program.id,
    ...updatedBetween(input),
    affiliateId: carries(input.affiliateId),
    campaignId: carries(input.campaignId),
    ...(input.state && { OR: input.state.map((state) => commissions.states.where(state, now)) }),
  }
}
