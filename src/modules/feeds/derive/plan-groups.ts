import type { Feed } from '../../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../../kernel/context.ts'
import { readCodes, withCodes } from './codes.ts'
import { fold, type Plan, type SourceEvent } from './fold.ts'
import { type RecordedFacts, readRecordedFacts } from './recorded.ts'

/** The events of one customer, and what they say together. */
export type Planned = { events: readonly SourceEvent[]; plan: Plan }

/** Makes the plans of the customers of a batch, and reads what is recorded about all of them. */
export async function planGroups(
  ctx: ProgramCtx,
  feed: Feed,
  groups: readonly (readonly SourceEvent[])[],
  now: Date,
): Promise<{ plans: Planned[]; known: RecordedFacts }> {
  const codes = await readCodes(ctx, feed, groups.flat())
  const plans = groups.map((events) => ({ events, plan: fold(withCodes(events, codes), now) }))
  const known = await readRecordedFacts(
    ctx,
    plans.map(({ plan }) => plan),
  )
  return { plans, known }
}
