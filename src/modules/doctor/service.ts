import { Prisma } from '../../generated/prisma/client.ts'
import type { Ctx } from '../../kernel/context.ts'
import { type Invariant, invariants } from './invariants.ts'

/** A row that breaks a promise. */
export type Finding = { invariant: Invariant; programId: string; id: string; detail: string }

/** The most rows that are told of one broken promise. */
const mostPerInvariant = 100

/**
 * Looks whether the data keeps every promise, over all programs, or of the one that is named. Of one program all
 * promises are looked at in one statement; over all, each has a statement's time for itself. Nothing is changed.
 */
export async function examine({ db }: Pick<Ctx, 'db'>, { programId }: { programId?: string } = {}): Promise<Finding[]> {
  const where = programId === undefined ? Prisma.empty : Prisma.sql`where program_id = ${programId}::uuid`
  const looks = invariants.map(
    ({ sql }, index) => Prisma.sql`
      (select ${index}::int as index, program_id::text as "programId", id::text, detail
      from (${Prisma.raw(sql)}) broken ${where} limit ${mostPerInvariant})`,
  )
  const findings: Finding[] = []
  for (const statement of programId === undefined ? looks : [Prisma.join(looks, ' union all ')]) {
    const rows = await db.$queryRaw<{ index: number; programId: string; id: string; detail: string }[]>(statement)
    findings.push(...rows.map(({ index, ...row }) => ({ invariant: invariants[index] as Invariant, ...row })))
  }
  return findings
}
