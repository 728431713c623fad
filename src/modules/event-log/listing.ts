import type { Event, Prisma } from '../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import { parseInput } from '../../kernel/input/parse.ts'
import { unfiltered } from '../../listing/kept-counts.ts'
import { baseFields, cents, currency, id, text } from '../../listing/listing.ts'
import { carries, type Page, readRows } from '../../listing/page.ts'
import { defineListing } from '../../listing/registry.ts'
import { listEventsInput } from './input.ts'

export const eventListing = defineListing({
  noun: 'Event',
  model: 'event',
  fields: {
    ...baseFields,
    type: text('type', { description: 'Compares the type: `commission.paid`.' }),
    subjectId: id('subjectId'),
    affiliateId: id('affiliateId', { nullable: true }),
    campaignId: id('campaignId', { nullable: true }),
    amountCents: cents('amountCents', {
      nullable: true,
      description:
        'The amount of the sale, commission or payout that the event is about, as it was then, in minor units of its currency; or null.',
    }),
    currency: currency('currency', { nullable: true, description: 'The currency of that amount, or null.' }),
    requestId: text('requestId'),
  },
  orders: {},
  numbers: {},
  kept: unfiltered('events'),
  groups: ['type'],
})

/** @throws INVALID_INPUT */
export async function listEvents(
  ctx: ProgramCtx,
  raw: unknown,
  query: Prisma.EventDefaultArgs = {},
): Promise<Page<Event>> {
  const input = await parseInput(listEventsInput, raw)
  const where: Prisma.EventWhereInput = {
    programId: ctx.program.id,
    type: input.type,
    subjectId: carries(input.subjectId),
    affiliateId: carries(input.affiliateId),
    // A condition that says nothing would hide that all events are listed, whose number is kept.
    ...(input.createdSince || input.createdUntil
      ? { createdAt: { gte: input.createdSince, lt: input.createdUntil } }
      : {}),
  }
  return readRows(ctx, eventListing, input, where, query)
}
