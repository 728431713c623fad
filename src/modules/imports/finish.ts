import { withTransaction } from '../../database/client/transaction.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import type { Ctx, ProgramCtx } from '../../kernel/context.ts'
import { refused } from '../../kernel/errors.ts'
import { isId } from '../../kernel/ids.ts'
import { parseInput } from '../../kernel/input/parse.ts'
import { collectDueCommissions } from '../payouts/service.ts'
import { clockOf } from '../programs/clock.ts'
import { finishImportInput } from './input.ts'
import { kindProgress } from './progress.ts'
import { type ImportReport, readReport, tables } from './report.ts'
import { recordImport } from './start.ts'

/** Finishes an import, and compares both sides. @throws NOT_FOUND; REFUSED if a kind was not read completely */
export async function finishImport(ctx: Ctx, raw: unknown): Promise<ImportReport> {
  const { programId, source, recordEvents = false } = await parseInput(finishImportInput, raw)
  const where = { programId_source: { programId, source } }
  const found = isId(programId) ? await ctx.db.import.findUnique({ where, include: { program: true } }) : null
  if (!found) throw refused('The import was not started. Call startImport first.')
  const open = kindProgress(found).filter(({ isDone }) => !isDone)
  if (open.length > 0)
    throw refused(`These kinds were not read completely: ${open.map(({ kind }) => kind).join(', ')}.`)
  const scope: ProgramCtx = { ...ctx, program: found.program, now: clockOf(found.program, ctx.now) }
  // Without statistics, PostgreSQL plans the report as if the new tables were empty, which takes minutes.
  for (const table of ['imported_records', ...Object.values(tables)])
    await ctx.db.$executeRaw`analyze ${Prisma.raw(table)}`
  await collectDueCommissions({ ...scope, isSilent: !recordEvents }, { forMs: Number.POSITIVE_INFINITY })
  await linkOpenPayouts(scope)
  const report = await readReport(scope, found)
  const now = ctx.now()
  await withTransaction(ctx.db, async (tx) => {
    await tx.import.update({ where, data: { finishedAt: now } })
    await recordImport(tx, { ...ctx, program: found.program }, 'finished', found, now)
  })
  return report
}

/** Links each open payout of the source with the open payout here of the same affiliate and currency. */
async function linkOpenPayouts({ db, program }: ProgramCtx): Promise<void> {
  await db.$executeRaw`
    update imported_records i set id = p.id from payouts p
    where i.program_id = ${program.id}::uuid and i.kind = 'payout' and i.seen->>'paidAt' is null and i.seen->>'currency' is not null
      and p.program_id = i.program_id and p.paid_at is null and p.failed_at is null
      and p.affiliate_id = (i.seen->>'affiliateId')::uuid and p.currency = i.seen->>'currency' and i.id is distinct from p.id`
}
