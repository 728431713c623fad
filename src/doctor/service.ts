import type { Ctx } from '../context.ts'
import { Prisma } from '../generated/prisma/client.ts'
import { type Invariant, invariants } from './invariants.ts'

/** A row that breaks a promise. */
export type Finding = { invariant: Invariant; programId: string; id: string; detail: string }

/** The most rows that are told of one broken promise. */
const mostPerInvariant = 100

/** Looks whether the data keeps every promise, over all programs, or of the one that is named. Nothing is changed. */
export async function examine({ db }: Pick<Ctx, 'db'>, { programId }: { programId?: string } = {}): Promise<Finding[]> {
  const findings: Finding[] = []
  const where = programId === undefined ? Prisma.empty : Prisma.sql`where program_id = ${programId}::uuid`
  for (const invariant of invariants) {
    const rows = await db.$queryRaw<{ programId: string; id: string; detail: string }[]>`
      select program_id::text as "programId", id::text, detail from (${Prisma.raw(invariant.sql)}) broken ${where} limit ${mostPerInvariant}`
    findings.push(...rows.map((row) => ({ invariant, ...row })))
  }
  return findings
}
