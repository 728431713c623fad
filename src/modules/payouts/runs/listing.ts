import type { PayoutRun, Prisma } from '../../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../../kernel/context.ts'
import { parseInput } from '../../../kernel/input/parse.ts'
import { baseFields, cents, currency, flag, id, instant, one, word } from '../../../listing/listing.ts'
import { type Page, readRows, updatedBetween } from '../../../listing/page.ts'
import { defineListing } from '../../../listing/registry.ts'
import { listPayoutRunsInput } from './input.ts'

export const payoutRunListing = defineListing({
  noun: 'PayoutRun',
  model: 'payoutRun',
  fields: {
    ...baseFields,
    updatedAt: instant('updatedAt'),
    state: word('state', 'PayoutRunState'),
    method: word('method', 'PayoutMethod'),
    currency: currency('currency'),
    amountCents: cents('amountCents'),
    sentAt: instant('sentAt', { nullable: true }),
    paidAt: instant('paidAt', { nullable: true }),
  },
  orders: {},
  numbers: {},
  kept: null,
  groups: [],
})

export const payoutRunItemListing = defineListing({
  noun: 'PayoutRunItem',
  model: 'payoutRunItem',
  fields: {
    ...baseFields,
    updatedAt: instant('updatedAt'),
    payoutId: id('payoutId'),
    affiliateId: id('affiliateId'),
    state: word('state', 'PayoutItemState'),
    amountCents: cents('amountCents'),
    isNewRecipient: flag('isNewRecipient'),
    isUnknown: flag('isUnknown'),
    isByDefault: flag('isByDefault'),
    affiliate: one('affiliate', 'Affiliate'),
  },
  orders: {},
  numbers: {},
  kept: null,
  groups: ['state'],
})

export async function listPayoutRuns(
  ctx: ProgramCtx,
  raw: unknown,
  query: Prisma.PayoutRunDefaultArgs = {},
): Promise<Page<PayoutRun>> {
  const input = await parseInput(listPayoutRunsInput, raw)
  const where: Prisma.PayoutRunWhereInput = {
    programId: ctx.program.id,
    ...updatedBetween(input),
    ...(input.state && { state: { in: input.state } }),
  }
  return readRows(ctx, payoutRunListing, input, where, query)
}
