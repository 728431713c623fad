import { statement } from '../../database/client/sql.ts'
import type { Ctx } from '../../kernel/context.ts'
import { databaseDamaged, invalid } from '../../kernel/errors.ts'
import { giveWay } from '../../kernel/slices.ts'
import { excerpt } from '../../kernel/text.ts'
import { type Invariant, invariants } from './invariants.ts'

export type Finding = { invariant: Invariant; programId: string; id: string; detail: string }

/** How long one check may take on PostgreSQL. Clients of HTTP wait five minutes for an answer. */
const timeOfCheckMs = 4 * 60_000
const allowTime = statement("select set_config('statement_timeout', $1, true)")

const mostPerInvariant = 100

type Query = (text: string, values: string[]) => Promise<Omit<Finding, 'invariant'>[]>

type Scope = {
  /** Without it, all programs are checked. */
  programId?: string | undefined
  /** The names of the invariants to check. Default: all. */
  only?: readonly string[] | undefined
}

/** Checks invariants. Each check may take four minutes. Nothing is changed. @throws an invalid `only` */
export const examine = ({ db }: Pick<Ctx, 'db'>, scope: Scope = {}): Promise<Finding[]> =>
  findViolations(async (text, values) => {
    await giveWay()
    db.deadline?.extend(timeOfCheckMs)
    return db.sql.transaction(async (tx) => {
      await tx.query(allowTime, [String(timeOfCheckMs)])
      return tx.query({ ...statement<Omit<Finding, 'invariant'>>(text), patienceMs: timeOfCheckMs }, values)
    })
  }, scope)

/** Checks invariants, each by a statement. @param query its limits of time apply */
export async function findViolations(query: Query, { programId, only }: Scope = {}): Promise<Finding[]> {
  const [where, values] =
    programId === undefined
      ? ['where program_id not in (select id from programs where deleted_at is not null)', []]
      : ['where program_id = $1::uuid', [programId]]
  const findings: Finding[] = []
  for (const invariant of only ? only.map(invariantNamed) : invariants) {
    const rows = await query(
      `select program_id::text as "programId", id::text, detail from (${invariant.sql}) violations ${where} limit ${mostPerInvariant}`,
      values,
    )
    findings.push(...rows.map((row) => ({ ...row, invariant })))
  }
  return findings
}

function invariantNamed(name: string): Invariant {
  const invariant = invariants.find((known) => known.name === name)
  if (!invariant) throw invalid([{ field: 'only', message: `only names no invariant: ${excerpt(name)}` }])
  return invariant
}

/** Tables and indexes with fewer pages than in their statistics. Here, they never lose any. */
const shortened = statement<{ name: string }>(
  `select relname::text as name from pg_class where relkind in ('r', 'i', 't')
    and pg_relation_size(oid) < relpages * current_setting('block_size')::bigint`,
)

/** Checks the files of the embedded database. @throws INTERNAL if a part of one is missing; its name is logged */
export async function requireWholeFiles({ db, log }: Pick<Ctx, 'db' | 'log'>): Promise<void> {
  const sql = db.sql
  const damaged = sql.isInThread ? await sql.query(shortened) : []
  if (damaged.length === 0) return
  log.fatal({ tables: damaged.map(({ name }) => name) }, 'database damaged, restore a backup')
  throw databaseDamaged()
}

/** Null on the embedded database. */
export function hasRowSecurity({ db }: Pick<Ctx, 'db'>): boolean | null {
  const { canCancel, programRole } = db.sql
  return canCancel ? programRole !== null : null
}
