import type { Logger } from 'pino'
import type { AppDb } from '../../kernel/db.ts'
import { actorOf } from '../history/actor.ts'
import { clockOf } from '../programs/clock.ts'
import { type AcceptedImport, forgetAccepted } from './accepted-imports.ts'
import { finishImport } from './csv-import.ts'

/** An import that is not finished after this time was left by a killed process, or at its deadline. */
const leftAfterMs = 60_000

const startedAt = new Date()

/** Finishes the imports of affiliates that were accepted and left. Any number of instances may do it. */
export async function finishImports(db: AppDb, now: () => Date, log: Logger): Promise<void> {
  const longAgo = new Date(Date.now() - leftAfterMs)
  // No other process has the embedded database.
  const before = db.sql.isInThread && startedAt > longAgo ? startedAt : longAgo
  const where = { acceptedAt: { lt: before }, program: { closedAt: null } }
  const left = await db.acceptedImport.findMany({ where, include: { program: true }, orderBy: { acceptedAt: 'asc' } })
  for (const { program, id, input, requestId, ...actor } of left) {
    const own = { db: db.ofProgram(program.id), program, now: clockOf(program, now), log }
    try {
      await finishImport({ ...own, actor: actorOf(actor), requestId }, input as AcceptedImport['input'])
      await forgetAccepted(own, id)
      log.info({ programId: program.id, requestId }, 'import of affiliates finished that was left')
    } catch (err) {
      log.warn({ err, programId: program.id, requestId }, 'could not finish an import of affiliates')
    }
  }
}
