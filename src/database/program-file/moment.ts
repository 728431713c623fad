import { randomUUID } from 'node:crypto'
import { OperatorError } from '../operator-error.ts'
import type { Query } from '../tables.ts'
import type { Base } from './format.ts'

type Moment = Omit<Base, 'id'> & { next: string }

async function readMoment(query: Query): Promise<Moment> {
  const [moment] = await query<Moment>(
    `select (select system_identifier::text from pg_control_system()) as cluster,
      (select oid::text from pg_database where datname = current_database()) as database,
      left(pg_walfile_name(pg_current_wal_lsn()), 8) as timeline,
      pg_snapshot_xmin(pg_current_snapshot())::text as since, pg_snapshot_xmax(pg_current_snapshot())::text as next`,
  )
  return moment as Moment
}

/** The moment that the open transaction sees, as one since which changes can be found later. */
export async function makeBase(query: Query): Promise<Base> {
  const { cluster, database, timeline, since } = await readMoment(query)
  return { id: randomUUID(), cluster, database, timeline, since }
}

/** Numbers of transactions are compared in 32 bits. */
const mostTransactions = 2n ** 31n - 1n

/** @throws OperatorError if the changes since a base cannot be found in this database */
export async function checkBase(query: Query, base: Base): Promise<void> {
  const { cluster, database, timeline, next } = await readMoment(query)
  const again = 'Export a new base, and import that one.'
  if (cluster !== base.cluster || database !== base.database)
    throw new OperatorError(`The base was written from another database, so what changed since is not known. ${again}`)
  const passed = BigInt(next) - BigInt(base.since)
  // Transactions that are lost then have numbers that others get later.
  if (timeline !== base.timeline || passed < 0n)
    throw new OperatorError(
      `The database was restored, or another server took over, since the base was written. ${again}`,
    )
  if (passed > mostTransactions) throw new OperatorError(`Too much has changed since the base. ${again}`)
}
