import { OperatorError } from '../../database/operator-error.ts'
import type { Imported, ImportOptions, NotedBase } from '../../database/program-file/import.ts'
import type { Session } from './session.ts'

/** Brings a program that waits for changes to the state of its source. It stays closed. */
export async function importChanges({ db, query }: Session, options: ImportOptions): Promise<Imported> {
  const { applyChanges } = await import('../../database/program-file/apply-changes.ts')
  const program = await db.program.findUniqueOrThrow({ where: { id: options.inspected.header.program.id } })
  return await applyChanges(query, options, program.base as NotedBase)
}

export async function checkProgram(query: Session['query'], id: string): Promise<string[]> {
  const { findViolations } = await import('../../modules/doctor/service.ts')
  const findings = await findViolations((text, values) => query(text, values), { programId: id })
  return findings.map(
    ({ invariant, id: row, detail }) => `${invariant.name}: row ${row}: ${detail}. ${invariant.promise}`,
  )
}

type OpenOptions = {
  /** Whether the program stays closed. */
  closed: boolean
  rows: string
}

/**
 * Opens the program, then compares all of it with its source, and runs the doctor. The imported rows were compared
 * before, so the program need not stay closed. The embedded database has one connection, and is checked first.
 * @returns what the doctor finds
 * @throws OperatorError if the program differs; it is closed again
 */
export async function openAndCheck(
  { db, query, config }: Session,
  { header, digests }: Imported,
  { closed, rows }: OpenOptions,
): Promise<string[]> {
  const { openProgram, closeProgram } = await import('../../database/program-file/close.ts')
  const { compareWhole } = await import('../../database/program-file/compare.ts')
  const { atOneMoment } = await import('../../database/program-file/write.ts')
  const { id, slug } = header.program
  const elsewhere = ((text) => db.$queryRawUnsafe(text)) as Session['query']
  const isEmbedded = config.databaseUrl === undefined
  const findings = await atOneMoment(query, async () => {
    // The moment of the transaction is that of its first statement.
    await query('select 1 from programs limit 1')
    if (!closed && !isEmbedded) {
      await openProgram(elsewhere, id)
      console.log(`The program ${slug} is open here: ${rows}. All of it is being checked as it was then.`)
    }
    const different = await compareWhole(query, id, digests)
    return different.length > 0 ? new OperatorError(different.join('\n')) : await checkProgram(query, id)
  })
  if (findings instanceof OperatorError) {
    if (!closed && !isEmbedded) await closeProgram(elsewhere, id)
    throw findings
  }
  if (!closed && isEmbedded) await openProgram(query, id)
  return findings
}
