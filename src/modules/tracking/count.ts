import type { Logger } from 'pino'
import { withTransaction } from '../../database/transaction.ts'
import type { PrismaClient } from '../../generated/prisma/client.ts'
import { Prisma } from '../../generated/prisma/client.ts'

const flushAfterMs = 1_000
const flushAt = 500
const mostAtOnce = 500

export type VisitCounter = {
  /** A referral was made that is not in the counters yet. */
  note(): void
  /** Counts what is not counted yet, by whichever instance it was made, and whatever a crash left. */
  flush(): Promise<void>
}

/**
 * Brings the counters up to the referrals, a second after the first or with the five hundredth: an affiliate whose
 * link is clicked all the time has one write a second to their row, not one a click. Which referrals are counted is
 * kept in their rows, so nothing is lost when the process dies in between.
 */
export function createVisitCounter(db: PrismaClient, log: Logger): VisitCounter {
  let noted = 0
  let timer: NodeJS.Timeout | undefined
  let last: Promise<void> = Promise.resolve()
  const later = () => {
    timer ??= setTimeout(flush, flushAfterMs).unref()
  }
  const run = async () => {
    clearTimeout(timer)
    timer = undefined
    noted = 0
    try {
      while ((await countVisitors(db)) === mostAtOnce);
    } catch (error) {
      log.warn({ err: error }, 'Visitors could not be counted; they are counted later.')
    }
  }
  /** One at a time; whoever asks while one runs waits for another that sees what is there by then. */
  const flush = () => {
    last = last.then(run)
    return last
  }
  return {
    note() {
      noted += 1
      if (noted === flushAt) void flush()
      else later()
    },
    flush,
  }
}

type Uncounted = { program_id: string; id: string; affiliate_id: string; link_id: string | null }

/**
 * Counts referrals that are not counted yet. What another transaction holds is left to the next time; locks are taken
 * in the order of all verbs: referral, affiliate, then its link.
 *
 * @returns how many there were, at most as many as are counted at once
 */
async function countVisitors(db: PrismaClient): Promise<number> {
  return withTransaction(db, async (tx) => {
    const rows = await tx.$queryRaw<Uncounted[]>`
      select program_id, id, affiliate_id, link_id from referrals where not is_counted
      order by program_id, id limit ${mostAtOnce} for no key update skip locked`
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
    const found = tallies.get(id) ?? { program_id: row.program_id, id, visitors: 0 }
    found.visitors += 1
    tallies.set(id, found)
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
