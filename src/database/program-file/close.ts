import { OperatorError } from '../operator-error.ts'
import type { Query } from '../tables.ts'

/** Longer than the transactions of requests take. In milliseconds. */
const waitMs = 60_000

/**
 * Closes a program to writes on all instances, and waits for running writes. From then on, no data of a file changes.
 * @throws OperatorError if a transaction does not end; the program stays closed
 */
export async function closeProgram(query: Query, programId: string): Promise<void> {
  await query(`update programs set closed_at = coalesce(closed_at, now()) where id = '${programId}'`)
  await query('begin')
  try {
    await query(`set local lock_timeout = ${waitMs}`)
    // Transactions that write have locked the row, see the function require_open_program. Later ones see that it is
    // closed.
    await query(`select 1 from programs where id = '${programId}' for update`)
  } catch (error) {
    throw (error as { code?: string }).code === '55P03'
      ? new OperatorError('A transaction is still writing to the program, which is closed now. Run the command again.')
      : error
  } finally {
    await query('rollback')
  }
}

export async function openProgram(query: Query, programId: string): Promise<void> {
  await query(`update programs set closed_at = null where id = '${programId}'`)
}
