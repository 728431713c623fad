import type { PGlite } from '@electric-sql/pglite'
import { runAlone } from '../seams/pglite.ts'
import { inQueue, takeTurn } from './adapter.ts'
import type { EmbeddedStatements } from './statements.ts'

/** A group ends after this time, so that other statements get the connection. */
const longestGroupMs = 25

export type GroupCommit = {
  /** Runs a transaction. `run` has the connection to itself. */
  run<T>(run: () => Promise<T>): Promise<T>
  /** Resolves when all that was committed until now is on disk. Never rejects. */
  whenDurable(): Promise<void>
}

type Waiting = { run: () => Promise<unknown>; resolve: (result: unknown) => void; reject: (error: unknown) => void }

/**
 * Runs transactions one after the other. Those that wait at the same time commit without waiting for the disk
 * (`synchronous_commit`); then one flush makes all durable, and only then any of them is answered. Until then the group
 * keeps the connection: nobody can read what a power cut may still undo.
 */
export function createGroupCommit(pglite: PGlite, { command }: Pick<EmbeddedStatements, 'command'>): GroupCommit {
  const queue: Waiting[] = []
  let isRunning = false
  let group: Promise<void> = Promise.resolve()

  async function runQueue(): Promise<void> {
    isRunning = true
    try {
      while (queue.length > 0)
        await inQueue(pglite, () =>
          runAlone(pglite, () => {
            group = runGroup()
            return group
          }),
        )
    } catch (error) {
      for (const { reject } of queue.splice(0)) reject(error)
    }
    isRunning = false
  }

  async function runGroup(): Promise<void> {
    const answers: (() => void)[] = []
    const members: Waiting[] = []
    const endsAt = performance.now() + longestGroupMs
    let isFlushed = true
    do {
      const member = queue.shift() as Waiting
      members.push(member)
      try {
        const result = await runOne(member.run, () => {
          isFlushed &&= queue.length === 0
          return isFlushed
        })
        answers.push(() => member.resolve(result))
      } catch (error) {
        answers.push(() => member.reject(error))
      }
      await takeTurn()
    } while (queue.length > 0 && performance.now() < endsAt)
    try {
      // The message is written to the log and flushed, with everything before it.
      if (!isFlushed) await command(`SELECT pg_logical_emit_message(false, 'tributary', 'flush', true)`)
    } catch (error) {
      for (const { reject } of members) reject(error)
    }
    for (const answer of answers) answer()
  }

  /** @param flushes called right before the commit: whether it waits for the disk */
  async function runOne(run: () => Promise<unknown>, flushes: () => boolean): Promise<unknown> {
    await command('BEGIN')
    try {
      const result = await run()
      const tag = await command(flushes() ? 'COMMIT' : 'SET LOCAL synchronous_commit TO off; COMMIT')
      if (tag !== 'COMMIT') throw new Error('a statement of this transaction failed, so it was rolled back')
      return result
    } catch (error) {
      await command('ROLLBACK')
      throw error
    }
  }

  return {
    run: (run) =>
      new Promise((resolve, reject) => {
        queue.push({ run, resolve: resolve as Waiting['resolve'], reject })
        if (!isRunning) void runQueue()
      }),
    whenDurable: () => group,
  }
}
