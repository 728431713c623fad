import { sqlWithin, statement } from '../../../database/client/sql.ts'
import { withTransaction } from '../../../database/client/transaction.ts'
import { columnsOf, insertRows } from '../../../database/client/write.ts'
import type { PayoutRun, Prisma } from '../../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../../kernel/context.ts'
import { refused } from '../../../kernel/errors.ts'
import { mintId } from '../../../kernel/ids.ts'
import { nextOwnTurn } from '../../../kernel/slices.ts'
import { methods } from '../../payout-methods/all.ts'
import { methodOf, recipientOf } from '../../payout-methods/choose.ts'
import type { PayoutFile } from '../../payout-methods/method.ts'
import type { SkipReason } from '../skip.ts'
import { type Draft, readDraft, reasonToSkip } from './draft.ts'
import { inFile, leavingOf } from './leaving.ts'
import { payoutPages, type RunPayout } from './pages.ts'
import { recordRun } from './record.ts'
import { carryRest, inWholeUnits } from './rest.ts'

const pageSize = 1_000

/**
 * Makes a run of payouts that the method can pay, with its file. Others are left out with the reason. A payout in
 * another open run is never in it: the database sees to that. Its amounts are those that the file pays.
 * @returns the id of the run
 * @throws INVALID_INPUT; REFUSED if nothing can be paid, or the program lacks what the file needs
 */
export async function createPayoutRun(ctx: ProgramCtx, raw: unknown): Promise<string> {
  return makeRun(ctx, await readDraft(ctx, raw))
}

/**
 * @returns the id of the run
 * @throws REFUSED if nothing can be paid
 */
export async function makeRun(ctx: ProgramCtx, draft: Draft): Promise<string> {
  await withTransaction(ctx.db, (tx) => fillRun(tx, ctx, draft), { isLong: true })
  return draft.draft.id
}

/**
 * Makes the run within a transaction. It reads the payouts page by page, so that the memory it takes does not depend on
 * their number. @throws REFUSED if nothing can be paid
 */
export async function fillRun(tx: Prisma.TransactionClient, ctx: ProgramCtx, chosenDraft: Draft): Promise<PayoutRun> {
  const { draft, payoutIds } = chosenDraft
  const { programId, id: runId, method, currency } = draft
  const { file } = methods[method]
  await tx.payoutRun.create({ data: draft })
  const chosen = payoutIds ? { payoutIds } : { currency }
  const left = new Map<SkipReason, number>()
  let [count, amountCents, part] = [0, 0n, 0]
  for await (const page of payoutPages(tx, programId, chosen, { method, size: pageSize, now: ctx.now() })) {
    const skips = new Map<string, SkipReason>()
    const payable = page.flatMap((candidate) => {
      const { payout } = candidate
      const reason = reasonToSkip(candidate, chosenDraft, ctx)
      if (reason) skips.set(payout.id, reason)
      return reason === null ? payout : []
    })
    const room = Math.max((file?.maxRows ?? Number.POSITIVE_INFINITY) - count, 0)
    for (const { id } of payable.slice(room)) skips.set(id, 'file_full')
    const fitting = await inWholeUnits(tx, ctx, draft, payable.slice(0, room))
    const [inserted, written] = await Promise.all([
      insertItems(tx, ctx, draft, fitting),
      // Written while the database inserts. It also lets other requests run.
      nextOwnTurn().then(() => file?.rows(inFile(fitting, method), ctx.program)),
    ])
    await carryRest(tx, ctx, draft, fitting, inserted)
    const taken = fitting.filter(({ id }) => {
      if (!inserted.has(id)) skips.set(id, 'in_open_run')
      return inserted.has(id)
    })
    const rows = [...skips].map(([payoutId, reason]) => ({ programId, runId, payoutId, reason }))
    await insertRows(tx, 'payout_run_skips', rows)
    if (file && taken.length > 0) {
      part += 1
      const content =
        taken.length === fitting.length && written ? written : file.rows(inFile(taken, method), ctx.program)
      await tx.payoutRunFilePart.create({ data: { programId, runId, number: part, content } })
    }
    count += taken.length
    for (const payout of taken) amountCents += leavingOf(payout, method).amountCents
    for (const reason of skips.values()) left.set(reason, (left.get(reason) ?? 0) + 1)
  }
  if (count === 0) throw refused(emptyMessage(left, draft))
  return finishRun(tx, ctx, draft, file, { count, amountCents, parts: part })
}

type Totals = { count: number; amountCents: bigint; parts: number }

async function finishRun(
  tx: Prisma.TransactionClient,
  ctx: ProgramCtx,
  draft: PayoutRun,
  file: PayoutFile | null,
  { count, amountCents, parts }: Totals,
): Promise<PayoutRun> {
  const { programId, id, method, currency, createdAt } = draft
  const limit = ctx.program.payoutApprovalAboveCents
  const data = {
    payoutCount: count,
    amountCents,
    needsApproval: limit !== null && amountCents > limit,
    fileName: file ? `payouts-${currency}-${createdAt.toISOString().slice(0, 10)}-${file.name}` : null,
    fileHasMark: Boolean(file?.isCsv && ctx.program.hasPayoutFileMark),
  }
  if (file) {
    const [start, end] = [file.start({ id, createdAt, count, amountCents }, ctx.program), file.end]
    const ends = [
      { programId, runId: id, number: 0, content: start },
      { programId, runId: id, number: parts + 1, content: end },
    ]
    await tx.payoutRunFilePart.createMany({ data: ends })
  }
  const run = await tx.payoutRun.update({ where: { programId_id: { programId, id } }, data })
  await recordRun(tx, ctx, 'created', null, run, createdAt)
  ctx.log.info({ programId, runId: id, method, payouts: count }, 'payout run made')
  return run
}

/** Why nobody can be paid, with the numbers of payouts. */
function emptyMessage(left: ReadonlyMap<SkipReason, number>, { currency }: PayoutRun): string {
  if (left.size === 0) return `No payout can be paid in this run: none in ${currency.toUpperCase()} is open.`
  const reasons = [...left].map(([reason, count]) => `${count} ${reason.toUpperCase()}`)
  return `No payout can be paid in this run: ${reasons.join(', ')}. payoutRunPreview names them.`
}

const insertItem = statement<{ id: string; payoutId: string }>(`
  insert into payout_run_items (program_id, id, run_id, payout_id, affiliate_id, currency, amount_cents, withheld_cents, state, recipient,
    is_new_recipient, is_by_default, reference, reason, created_at, updated_at)
  select program_id, id, run_id, payout_id, affiliate_id, currency, amount_cents, withheld_cents, state, recipient,
    recipient is not null and not exists (
      select from payout_run_items paid where paid.program_id = item.program_id and paid.affiliate_id = item.affiliate_id
        and paid.recipient = item.recipient and paid.state = 'paid'),
    is_by_default, reference, reason, created_at, updated_at
  from jsonb_populate_recordset(null::payout_run_items, $1::jsonb) item
  on conflict do nothing returning id::text, payout_id::text as "payoutId"`)

/** Returns the ids of the payments, by their payouts that are in no other open run. */
async function insertItems(
  tx: Prisma.TransactionClient,
  { program }: ProgramCtx,
  { id: runId, method, createdAt }: PayoutRun,
  payouts: readonly RunPayout[],
): Promise<ReadonlyMap<string, string>> {
  if (payouts.length === 0) return new Map()
  const items = payouts.map((payout) => {
    const { programId, id: payoutId, affiliateId, affiliate, currency } = payout
    const { amountCents, withheldCents } = leavingOf(payout, method)
    return columnsOf({
      programId,
      id: mintId(createdAt),
      runId,
      payoutId,
      affiliateId,
      currency,
      amountCents: String(amountCents),
      withheldCents: String(withheldCents),
      state: 'prepared',
      recipient: recipientOf(affiliate, method),
      isByDefault: methodOf(affiliate, program.defaultPayoutMethod).isByDefault,
      createdAt,
      updatedAt: createdAt,
    })
  })
  const rows = await sqlWithin(tx).query(insertItem, [JSON.stringify(items)])
  return new Map(rows.map(({ id, payoutId }) => [payoutId, id]))
}
