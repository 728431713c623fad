import type { Program } from '../../generated/prisma/client.ts'
import type { Ctx } from '../../kernel/context.ts'
import { refused } from '../../kernel/errors.ts'
import { recordInstallationChange } from '../history/installation.ts'
import { forgetCachedPrograms } from './cached-lookup.ts'
import { findProgram } from './service.ts'

/** Longer than the transactions of requests take. */
const waitMs = 20_000

/**
 * Rejects writes to a program on all instances, and waits for those that run.
 * @throws NOT_FOUND; REFUSED if a write does not end: the program is closed nevertheless
 */
export async function closeProgram(ctx: Ctx, id: string): Promise<Program> {
  const { name } = await findProgram(ctx, id)
  await ctx.db
    .$executeRaw`update programs set closed_at = coalesce(closed_at, ${ctx.now()}::timestamptz) where id = ${id}::uuid`
  await recordInstallationChange(ctx.db, ctx, { action: 'program_closed', subjectId: id, subjectName: name }, ctx.now())
  forgetCachedPrograms(ctx.db)
  ctx.db.deadline?.extend(waitMs + 5_000)
  // Transactions that write have locked the row: see the function require_open_program. Later ones see it closed.
  const waiting = ctx.db.$transaction(
    async (tx) => {
      await tx.$executeRaw`select set_config('lock_timeout', ${String(waitMs)}, true), set_config('statement_timeout', ${String(waitMs)}, true)`
      await tx.$queryRaw`select 1 from programs where id = ${id}::uuid for update`
    },
    { timeout: waitMs + 1_000 },
  )
  await waiting.catch((error) => {
    ctx.log.warn({ err: error, programId: id }, 'a write did not end when its program was closed')
    throw refused('A transaction is still writing to the program, which is closed now. Send the request again.')
  })
  return findProgram(ctx, id)
}

/** Accepts writes to a program again. @throws NOT_FOUND; REFUSED while it waits for changes of its source */
export async function openProgram(ctx: Ctx, id: string): Promise<Program> {
  const { name, slug, base } = await findProgram(ctx, id)
  if (base !== null)
    throw refused(
      `The program ${slug} waits for what has changed at its source. Import that, or give up the move: delete-program --program ${slug}`,
    )
  await ctx.db.$executeRaw`update programs set closed_at = null where id = ${id}::uuid`
  await recordInstallationChange(ctx.db, ctx, { action: 'program_opened', subjectId: id, subjectName: name }, ctx.now())
  forgetCachedPrograms(ctx.db)
  return findProgram(ctx, id)
}
