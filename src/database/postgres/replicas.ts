import { setTimeout as pause } from 'node:timers/promises'
import type { ReadFrom } from '../../kernel/db.ts'
import { statement } from '../client/sql.ts'
import {
  createReplica,
  hasReached,
  type Position,
  type Replica,
  type ReplicaOptions,
  type ReplicaState,
} from './replica.ts'

/** How often replicas are asked how far they are, if no read does. */
const askEveryMs = 500
/** Between two questions of a read that waits. */
const askAgainMs = 2

/** The position that replicas must reach to show every acknowledged commit, which is flushed before. */
const readPosition = statement<never>(`select ((case when current_setting('synchronous_commit') = 'off'
    then pg_current_wal_insert_lsn() else pg_current_wal_flush_lsn() end) - '0/0')::text,
  ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::int::text`)

export type ReplicaStats = { name: string; state: ReplicaState; reads: number; behindBytes: number }

/** Why the primary answered: no replica is in use, no replica caught up in time, or one failed. */
export type Fallbacks = Record<'away' | 'behind' | 'failed', number>

export type Replicas = {
  readFrom: ReadFrom
  stats(): { replicas: ReplicaStats[]; fallbacks: Fallbacks }
  close(): Promise<void>
}

type Options = ReplicaOptions & {
  urls: readonly string[]
  waitMs: number
}

/** Reads from standbys of a primary. Those that are unreachable or behind are left out until they have caught up. */
export function openReplicas({ urls, waitMs, ...options }: Options): Replicas {
  const { primary, log } = options
  const replicas = urls.map((url) => createReplica(url, options))
  const fallbacks: Fallbacks = { away: 0, behind: 0, failed: 0 }
  let newest: Position = { timeline: 0, bytes: 0n }
  let turn = 0

  async function position(): Promise<Position> {
    const [row] = await primary.sql.sharedTextRows(readPosition)
    newest = { bytes: BigInt(row?.[0] ?? 0), timeline: Number(row?.[1]) }
    return newest
  }

  /** @returns false if the replica has not reached the position in time */
  async function reach(replica: Replica, wanted: Position, until: number): Promise<boolean> {
    while (!hasReached(replica, wanted)) {
      const leftMs = until - performance.now()
      if (leftMs <= 0 || replica.state === 'away') return false
      const timeout = new AbortController()
      const late = pause(leftMs, undefined, { signal: timeout.signal, ref: false }).catch(() => {})
      await Promise.race([replica.ask(), late])
      timeout.abort()
      if (!hasReached(replica, wanted)) await pause(askAgainMs)
    }
    return true
  }

  /** A replica that has reached the position; undefined if no replica does in time. */
  async function choose(used: readonly Replica[], wanted: Position): Promise<Replica | undefined> {
    const ready = used.find((replica) => hasReached(replica, wanted))
    if (ready) return ready
    const until = performance.now() + waitMs
    const reaching = used.map(async (replica) => {
      if (await reach(replica, wanted, until)) return replica
      if (replica.state === 'used') replica.setState('behind')
      throw new Error('behind')
    })
    return await Promise.any(reaching).catch(() => undefined)
  }

  const readFrom: ReadFrom = async (context, run, isGood = () => true) => {
    turn += 1
    const first = turn % replicas.length
    const used = [...replicas.slice(first), ...replicas.slice(0, first)].filter(({ state }) => state === 'used')
    if (used.length === 0) {
      fallbacks.away += 1
      return await run(context)
    }
    const wanted = await position().catch(() => undefined)
    const replica = wanted && (await choose(used, wanted))
    if (!replica) {
      fallbacks.behind += 1
      return await run(context)
    }
    const { epoch } = replica
    // Another server can have taken its place in this turn.
    if (!hasReached(replica, wanted)) return await run(context)
    try {
      const { deadline } = context.db
      const result = await run({ ...context, db: deadline ? replica.db.until(deadline) : replica.db })
      if (replica.epoch === epoch && isGood(result)) {
        replica.reads += 1
        return result
      }
    } catch (err) {
      // An error of the request itself comes again from the primary.
      log.debug({ err, replica: replica.name }, 'read of a replica failed')
    }
    fallbacks.failed += 1
    return await run(context)
  }

  async function look(replica: Replica): Promise<void> {
    await replica.ask()
    if (replica.state !== 'behind') return
    const wanted = await position().catch(() => undefined)
    if (wanted && (await reach(replica, wanted, performance.now() + waitMs))) replica.setState('used')
  }

  const looking = new Set<Replica>()
  const lookAtAll = () => {
    for (const replica of replicas) {
      if (looking.has(replica)) continue
      looking.add(replica)
      void look(replica).finally(() => looking.delete(replica))
    }
  }
  lookAtAll()
  const timer = setInterval(lookAtAll, askEveryMs).unref()

  return {
    readFrom,
    stats: () => ({
      replicas: replicas.map(({ name, state, reads, progress }) => ({
        name,
        state,
        reads,
        behindBytes: Math.max(0, Number(newest.bytes - progress.bytes)),
      })),
      fallbacks: { ...fallbacks },
    }),
    close: async () => {
      clearInterval(timer)
      await Promise.allSettled(replicas.map((replica) => replica.close()))
    },
  }
}
