import { enterProgram } from '../client/row-security.ts'
import { insertRows } from '../move/copy.ts'
import type { Digest } from '../move/digest.ts'
import { describeCause, OperatorError } from '../operator-error.ts'
import type { Query } from '../tables.ts'
import { compareTables } from './compare.ts'
import { type Base, fileKinds, type Header } from './format.ts'
import type { Inspected } from './inspect.ts'
import { type Part, readProgramFile } from './read-part.ts'
import { type ProgramTable, readProgramTables } from './tables.ts'

export type Imported = { header: Header; digests: Record<string, Digest>; rows: number }

export type ImportOptions = {
  file: string
  /** The same file, which was read and checked before. */
  inspected: Inspected
  /** The role that sees and writes rows of one program only; null without row-level security. */
  role: string | null
  /** Changes a row on its way to the database, or leaves it out; null for tables whose rows stay as they are. */
  convert: (table: string) => ((row: string) => string | null) | null
  /** Adds rows of this installation, in the same transaction. */
  finish: (query: Query) => Promise<void>
  onProgress: (progress: { table: string; copied: number; total: number }) => void
}

/** What a program that waits for changes keeps: the id of its file, and the transactions of its imports. */
export type NotedBase = { id: string; transactions: string[] }

/** Whether the program waits for later changes. Rows that the service would add come with those. */
type WholeOptions = ImportOptions & { isBase: boolean }

/**
 * Imports a program in one transaction, and compares it with the file. Other programs go on meanwhile. With row-level
 * security, PostgreSQL refuses rows of other programs.
 * @throws OperatorError if the file has changed since it was inspected, or if the database refuses a row
 */
export async function importProgram(query: Query, options: WholeOptions): Promise<Imported> {
  const { file, inspected, isBase, role, convert, finish, onProgress } = options
  const { header, trailer } = inspected
  if (header.file !== fileKinds.whole) throw new OperatorError(`${file} has changes of a program, not all of it.`)
  const total = header.tables.reduce((sum, { count }) => sum + count, 0)
  let copied = 0
  return await inTransaction(query, async () => {
    const all = await beginImport(query, header)
    if (role !== null) await query(enterProgram, [role, header.program.id])
    const tables = isBase ? all.filter(({ isNumberedAnew }) => !isNumberedAnew) : all
    for await (const part of readAgain(file, inspected)) {
      const table = 'rows' in part && tables.find(({ name }) => name === part.table)
      if (!('rows' in part && table)) continue
      const change = convert(table.name)
      const rows = change ? part.rows.flatMap((row) => change(row) ?? []) : part.rows
      if (rows.length > 0) await insertRows(query, table, rows, { withSequences: false })
      copied += part.rows.length
      onProgress({ table: table.name, copied, total })
    }
    if (isBase) await noteBase(query, header.program.id, header.base, [])
    const { digests } = trailer.end
    const different = await compareTables(query, tables, header.program.id, digests)
    if (different.length > 0) throw new OperatorError(`${different.join(' ')} Nothing was imported.`)
    await finish(query)
    return { header, digests, rows: copied }
  })
}

/** Reads a file that was inspected. @throws OperatorError if it is another one now */
export async function* readAgain(file: string, { trailer }: Inspected): AsyncGenerator<Part> {
  for await (const part of readProgramFile(file)) {
    if ('trailer' in part && part.trailer.end.sha256 !== trailer.end.sha256)
      throw new OperatorError('The file was changed while it was imported. Nothing was imported. Try again.')
    yield part
  }
}

/** Runs the transaction of an import. @throws OperatorError if the database refuses a row */
export async function inTransaction<T>(query: Query, run: () => Promise<T>): Promise<T> {
  try {
    await query('begin')
    const result = await run()
    await query('commit')
    return result
  } catch (error) {
    await query('rollback').catch(() => {})
    throw isOfRow(error)
      ? new OperatorError(
          `The database refuses a row of the file: ${describeCause(error)}. Nothing was imported. Export the file again, and be sure where it comes from.`,
        )
      : error
  }
}

/** Values, constraints, row-level security, and limits of statements. */
const isOfRow = (error: unknown): boolean =>
  /^(22|23|54)...$|^42501$/.test(String((error as { code?: unknown } | null)?.code ?? ''))

/** Records the file that the program is the state of, and the transactions of its imports. */
export async function noteBase(query: Query, programId: string, base: Base, earlier: readonly string[]): Promise<void> {
  const [found] = await query<{ xmin: string }>(`select (pg_current_xact_id()::xid)::text as xmin`)
  const noted: NotedBase = { id: base.id, transactions: [...earlier, found?.xmin as string] }
  await query('update programs set base = $1::jsonb where id = $2::uuid', [JSON.stringify(noted), programId])
}

/** Prepares the transaction of an import. @throws OperatorError if the file has a table that is unknown here */
export async function beginImport(query: Query, { tables: inFile }: Header): Promise<ProgramTable[]> {
  await query(`set local timezone = 'UTC'`)
  await query('set local statement_timeout = 0')
  // Counts and sums of the rows are in the file, so triggers add nothing to them.
  await query(`select set_config('tributary.imports_program', 'on', true)`)
  const tables = await readProgramTables(query)
  const unknown = inFile.find(({ name }) => !tables.some((table) => table.name === name))
  if (unknown) throw new OperatorError(`The file has a table that this database has not: ${unknown.name}.`)
  return tables
}
