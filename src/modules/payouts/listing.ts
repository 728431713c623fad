import type { z } from 'zod'
import type { Payout, Prisma } from '../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import { parseInput } from '../../kernel/input/parse.ts'
import { baseFields, cents, currency, flag, id, instant, many, one, state, text } from '../../listing/listing.ts'
import { carries, type Page, readRows, updatedBetween } from '../../listing/page.ts'
import { defineListing } from '../../listing/registry.ts'
import { listPayoutsInput, payoutStates } from './input.ts'
import { collectDueCommissions } from './service.ts'
import { inConventionStates, inPayoutState, minimumsOf, type PayoutMinimum } from './state.ts'

export const payoutListing = defineListing({
  noun: 'Payout',
  model: 'payout',
  forAffiliate: true,
  fields: {
    ...baseFields,
    updatedAt: instant('updatedAt'),
    state: state('PayoutState', payoutStates, (word) => inPayoutState[word]),
    isPayable: flag('isPayable'),
    amountCents: cents('amountCents'),
    currency: currency('currency'),
    paidAt: instant('paidAt', { nullable: true }),
    sentAt: instant('sentAt', { nullable: true }),
    failedAt: instant('failedAt', { nullable: true }),
    reference: text('reference', { nullable: true }),
    affiliateId: id('affiliateId'),
    affiliate: one('affiliate', 'Affiliate'),
    commissions: many('commissions', 'Commission'),
  },
  orders: { updatedAt: 'updatedAt', amount: 'amountCents' },
  numbers: { amount: { column: 'amountCents', isMoney: true } },
  exportPath: '/v1/exports/payouts',
  kept: {
    table: 'payouts',
    states: {
      pending: { paidAt: 'null', failedAt: 'null' },
      paid: { paidAt: 'value', failedAt: 'null' },
      failed: { paidAt: 'null', failedAt: 'value' },
    },
  },
  groups: ['affiliateId', 'currency', 'state'],
})

export async function listPayouts(
  ctx: ProgramCtx,
  raw: unknown,
  query: Prisma.PayoutDefaultArgs = {},
): Promise<Page<Payout>> {
  const input = await parseInput(listPayoutsInput, raw)
  await collectDueCommissions(ctx)
  const where = {
    ...payoutsWhere(ctx, input),
    ...(input.conventionState && {
      AND: inConventionStates(input.conventionState, await readMinimums(ctx)),
    }),
  }
  return readRows(ctx, payoutListing, input, where, query)
}

export const payoutsWhere = (
  ctx: ProgramCtx,
  input: Omit<z.output<typeof listPayoutsInput>, 'conventionState'>,
): Prisma.PayoutWhereInput => ({
  programId: ctx.program.id,
  ...updatedBetween(input),
  affiliateId: carries(input.affiliateId),
  ...(input.state && { OR: input.state.map((state) => inPayoutState[state]) }),
})

async function readMinimums({ db, program }: ProgramCtx): Promise<PayoutMinimum[]> {
  const select = { id: true, minimumPayoutCents: true, minimumPayouts: true }
  return minimumsOf(await db.campaign.findMany({ where: { programId: program.id }, select }))
}
