import { allowLonger } from '../../database/client-until.ts'
import { sqlOf } from '../../database/sql.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import type { Ctx } from '../../kernel/context.ts'
import { type Invariant, invariants } from './invariants.ts'

/** A row that violates an invariant. */
export type Finding = { invariant: Invariant; programId: string; id: string; detail: string }

/** How long one check may take. */
const timeOfCheckMs = 15_000

/** The most rows that are reported for one invariant. */
const mostPerInvariant = 100

/**
 * Checks every invariant, for all programs or for one. For one program all checks are one statement. For all programs each
 * check is its own statement, so that each may take the whole statement timeout. Nothing is changed.
 */
export async function examine({ db }: Pick<Ctx, 'db'>, { programId }: { programId?: string } = {}): Promise<Finding[]> {
  const where = programId === undefined ? Prisma.empty : Prisma.sql`where program_id = ${programId}::uuid`
  const checks = invariants.map(
    ({ sql }, index) => Prisma.sql`
      (select ${index}::int as index, program_id::text as "programId", id::text, detail
      from (${Prisma.raw(sql)}) violations ${where} limit ${mostPerInvariant})`,
  )
  const findings: Finding[] = []
  for (const statement of programId === undefined ? checks : [Prisma.join(checks, ' union all ')]) {
    allowLonger(db, timeOfCheckMs)
    const rows = await db.$queryRaw<{ index: number; programId: string; id: string; detail: string }[]>(statement)
    findings.push(...rows.map(({ index, ...row }) => ({ invariant: invariants[index] as Invariant, ...row })))
  }
  return findings
}

/** Null on the embedded database. */
export function hasRowSecurity({ db }: Pick<Ctx, 'db'>): boolean | null {
  const { canCancel, programRole } = sqlOf(db)
  return canCancel ? programRole !== null : null
}
