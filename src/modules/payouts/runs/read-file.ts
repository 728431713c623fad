import type { Prisma } from '../../../generated/prisma/client.ts'
import type { PayoutMethod } from '../../../generated/prisma/enums.ts'
import type { ProgramCtx } from '../../../kernel/context.ts'
import { refused, TributaryError } from '../../../kernel/errors.ts'
import { isId } from '../../../kernel/ids.ts'
import { parseInput } from '../../../kernel/input/parse.ts'
import { carries } from '../../../listing/page.ts'
import { storedActor } from '../../history/actor.ts'
import { methods } from '../../payout-methods/all.ts'
import { byteOrderMark } from '../../payout-methods/csv.ts'
import { refuseInShadow } from '../../programs/shadow.ts'
import { collectDueCommissions } from '../service.ts'
import { inPayoutState } from '../state.ts'
import { makeRun } from './create.ts'
import { rejectUnknownIds } from './draft.ts'
import { noteFetched } from './fetch-file.ts'
import { findPayoutRun } from './find.ts'
import { readPayoutFileInput } from './read-file-input.ts'
import { countSkips, readRunContents } from './read-run.ts'
import { newRun } from './record.ts'

export type ReadFile = { runId: string; csv: string; fileName: string; skippedCount: number }

/**
 * Makes a run of the payouts that match and can be paid, and reads its file. The same request again reads the same
 * file, until the run is marked, something else can be paid, or a result is recorded: so a client that lost the answer
 * pays nobody twice.
 * @throws INVALID_INPUT; REFUSED if nothing can be paid, for several currencies, and for more payouts than a file has
 */
export async function readPayoutFile(ctx: ProgramCtx, raw: unknown): Promise<ReadFile> {
  refuseInShadow(ctx.program)
  const { format: method, ...filter } = await parseInput(readPayoutFileInput, raw)
  await collectDueCommissions(ctx)
  if (filter.ids) await rejectUnknownIds(ctx, filter.ids, 'ids')
  const where: Prisma.PayoutWhereInput = {
    programId: ctx.program.id,
    affiliateId: carries(filter.affiliateId),
    currency: filter.currency,
    ...(filter.ids && { id: { in: filter.ids.filter(isId) } }),
    OR: (filter.state ?? (filter.ids ? ['pending', 'paid', 'failed'] : ['pending'])).map(
      (state) => inPayoutState[state],
    ),
  }
  const matching = await ctx.db.payout.findMany({
    where,
    select: { id: true, currency: true, paidAt: true, failedAt: true },
  })
  const payoutIds = matching.map(({ id }) => id)
  refuseTooMany(payoutIds.length, method)
  const open = matching.filter(({ paidAt, failedAt }) => !paidAt && !failedAt)
  const currency = oneCurrencyOf(open) ?? filter.currency ?? ctx.program.currency
  const now = ctx.now()
  const draft = newRun(ctx, { method, currency, asOf: now }, now)
  const runId = await makeRun(ctx, { draft, payoutIds, leaveOutDisabled: false }).catch(async (error: unknown) => {
    const earlier =
      error instanceof TributaryError && error.code === 'REFUSED'
        ? await findEarlier(ctx, method, currency, payoutIds)
        : null
    if (!earlier) throw error
    return earlier
  })
  await noteFetched(ctx, [runId])
  const { fileName, fileHasMark } = await findPayoutRun(ctx, runId)
  const [content = ''] = await readRunContents(ctx, [runId])
  const [skippedCount = 0] = await countSkips(ctx, [runId])
  return { runId, csv: (fileHasMark ? byteOrderMark : '') + content, fileName: fileName ?? '', skippedCount }
}

function refuseTooMany(count: number, method: PayoutMethod): void {
  const { maxRows = count } = methods[method].file ?? {}
  if (count > maxRows)
    throw refused(`A file in this format holds at most ${maxRows} payouts. Filter by state, currency or affiliate.`)
}

function oneCurrencyOf(payouts: readonly { currency: string }[]): string | undefined {
  const currencies = [...new Set(payouts.map(({ currency }) => currency))].sort()
  if (currencies.length > 1)
    throw refused(`A file holds one currency, but the payouts are in ${currencies.join(', ')}. Filter by currency.`)
  return currencies[0]
}

/**
 * The newest run of the same caller that nobody has marked, and that pays nothing but these payouts. One that is sent
 * by the API of a service is not paid by its file, too.
 */
async function findEarlier(
  { db, program, actor }: ProgramCtx,
  method: PayoutMethod,
  currency: string,
  payoutIds: readonly string[],
): Promise<string | null> {
  const { actorKind, actorId } = storedActor(actor)
  const [run] = await db.$queryRaw<{ id: string }[]>`
    select id::text from payout_runs run
    where program_id = ${program.id}::uuid and method = ${method}::payout_method and currency = ${currency}
      and state in ('prepared', 'approved') and handed_over_at is null
      and prepared_by_kind = ${actorKind}::actor_kind and prepared_by_id is not distinct from ${actorId}::uuid
      and payout_count = (select count(*) from payout_run_items item
        where item.program_id = run.program_id and item.run_id = run.id and item.state = 'prepared'
          and item.payout_id = any (${[...payoutIds]}::uuid[]))
    order by id desc limit 1`
  return run?.id ?? null
}
