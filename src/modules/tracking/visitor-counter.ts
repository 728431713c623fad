import type { Logger } from 'pino'
import { withTransaction } from '../../database/client/transaction.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import type { AppDb } from '../../kernel/db.ts'

const flushDelayMs = 1_000
const flushThreshold = 500
const batchSize = 500

export type VisitorCounter = {
  /** Reports a new referral, which is counted with the next flush. */
  note(): void
  /** Counts all referrals that are not counted yet, including those of other instances and those left by a crash. */
  flush(): Promise<void>
}

/**
 * Updates visitor counters in batches: one second after the first new referral, or with the five-hundredth, so that a
 * busy link causes one write per second. Each referral stores whether it is counted, so a crash loses nothing.
 */
export function createVisitorCounter(db: AppDb, log: Logger): VisitorCounter {
  let pending = 0
  let timer: NodeJS.Timeout | undefined
  let last: Promise<void> = Promise.resolve()
  const schedule = () => {
    timer ??= setTimeout(flush, flushDelayMs).unref()
  }
  const run = async () => {
    clearTimeout(timer)
    timer = undefined
    pending = 0
    try {
      while ((await countVisitors(db)) === batchSize);
    } catch (error) {
      log.warn({ err: error }, 'could not count visitors, retrying with the next flush')
    }
  }
  /** Runs one at a time. A flush that is requested meanwhile starts after it, and sees all referrals. */
  const flush = () => {
    last = last.then(run)
    return last
  }
  return {
    note() {
      pending += 1
      if (pending === flushThreshold) void flush()
      else schedule()
    },
    flush,
  }
}

type Uncounted = { program_id: string; id: string; affiliate_id: string; link_id: string | null }

/** Counts a batch of referrals, except locked ones, in the usual order of locks. @returns how many */
async function countVisitors(db: AppDb): Promise<number> {
  return withTransaction(db, async (tx) => {
    const rows = await tx.$queryRaw<Uncounted[]>`
      select program_id, id, affiliate_id, link_id from referrals where not is_counted
      order by program_id, id limit ${batchSize} for no key update skip locked`
    if (rows.length === 0) return 0
    await tx.$executeRaw`
      update referrals r set is_counted = true from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as c(program_id uuid, id uuid)
      where r.program_id = c.program_id and r.id = c.id`
    await add(tx, Prisma.sql`affiliates`, tally(rows, 'affiliate_id'))
    await add(tx, Prisma.sql`affiliate_links`, tally(rows, 'link_id'))
    return rows.length
  })
}

type Tally = { program_id: string; id: string; visitors: number }

function tally(rows: readonly Uncounted[], key: 'affiliate_id' | 'link_id'): Tally[] {
  const tallies = new Map<string, Tally>()
  for (const row of rows) {
    const id = row[key]
    if (id === null) continue
    const counted = tallies.get(id) ?? { program_id: row.program_id, id, visitors: 0 }
    counted.visitors += 1
    tallies.set(id, counted)
  }
  return [...tallies.values()]
}

async function add(tx: Prisma.TransactionClient, table: Prisma.Sql, tallies: readonly Tally[]): Promise<void> {
  const counted = Prisma.sql`jsonb_to_recordset(${JSON.stringify(tallies)}::jsonb) as c(program_id uuid, id uuid, visitors int)`
  await tx.$queryRaw`
    select 1 from ${table} t join ${counted} on t.program_id = c.program_id and t.id = c.id
    order by t.program_id, t.id for no key update of t`
  await tx.$executeRaw`
    update ${table} t set visitors = t.visitors + c.visitors from ${counted}
    where t.program_id = c.program_id and t.id = c.id`
}
