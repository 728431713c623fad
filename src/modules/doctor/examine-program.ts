import { invariants } from './invariants.ts'

/** The most rows that are reported for one invariant. */
const mostPerInvariant = 100

type Query = <Row>(text: string, values?: readonly unknown[]) => Promise<Row[]>

/**
 * Checks every invariant of one program on a connection of the caller, whose limits of time apply. Each is a statement of its own,
 * because a large program takes longer than requests may.
 *
 * @returns a sentence for each row that violates one
 */
export async function examineProgram(query: Query, programId: string): Promise<string[]> {
  const findings: string[] = []
  for (const { name, promise, sql } of invariants) {
    const rows = await query<{ id: string; detail: string }>(
      `select id::text, detail from (${sql}) violations where program_id = $1::uuid limit ${mostPerInvariant}`,
      [programId],
    )
    findings.push(...rows.map(({ id, detail }) => `${name}: row ${id}: ${detail}. ${promise}`))
  }
  return findings
}
