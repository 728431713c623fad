import type { PayoutRun, Prisma } from '../../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../../kernel/context.ts'
import { parseInput } from '../../../kernel/input/parse.ts'
import { type Page, readRows, updatedBetween } from '../../../listing/page.ts'
import { listPayoutRunsInput } from './input.ts'
import { payoutRunListing } from './listing.ts'

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
