import { insertRows } from '../move/copy.ts'
import type { Digest } from '../move/digest.ts'
import type { Query } from '../move/tables.ts'
import { OperatorError } from '../operator-error.ts'
import { compareTables } from './compare.ts'
import { type Base, fileKinds, type Header, type Trailer } from './format.ts'
import { readProgramFile } from './read.ts'
import { type ProgramTable, readProgramTables } from './tables.ts'

export type Imported = { header: Header; digests: Record<string, Digest>; rows: number }

export type ImportOptions = {
  file: string
  /** Checks whether the program can be imported here. */
  check: (header: Header) => Promise<void>
  /** Changes a row on its way to the database, or leaves it out; null for tables whose rows stay as they are. */
  convert: (table: string) => ((row: string) => string | null) | null
  onProgress: (progress: { table: string; copied: number; total: number }) => void
}

/** What a program that waits for changes keeps: the id of the file whose state it has, and the transactions of its imports, in 32 bits. */
export type NotedBase = { id: string; transactions: string[] }

/** Whether the program waits for what has changed since. Rows that the service would add to other tables come with that. */
type WholeOptions = ImportOptions & { isBase: boolean }

/**
 * Imports a program in one transaction: until all of it is there and equals what was exported, nothing is. Other programs
 * go on meanwhile.
 *
 * @throws OperatorError if the file is damaged, or if `check` throws
 */
export async function importProgram(
  query: Query,
  { file, isBase, check, convert, onProgress }: WholeOptions,
): Promise<Imported> {
  let header: Header | undefined
  let trailer: Trailer | undefined
  let copied = 0
  // A file that cannot be imported, or is not whole, is rejected before anything is written.
  for await (const part of readProgramFile(file)) if ('header' in part) await check(part.header)
  try {
    let tables: ProgramTable[] = []
    let total = 0
    for await (const part of readProgramFile(file)) {
      if ('header' in part) {
        header = part.header
        total = header.tables.reduce((sum, { count }) => sum + count, 0)
        if (header.file !== fileKinds.whole) throw new OperatorError(`${file} has changes of a program, not all of it.`)
        const all = await beginImport(query, header)
        tables = isBase ? all.filter(({ isNumberedAnew }) => !isNumberedAnew) : all
      } else if ('table' in part) {
        if (!('rows' in part)) continue
        const table = tables.find(({ name }) => name === part.table)
        if (!table) continue
        const change = convert(table.name)
        const rows = change ? part.rows.flatMap((row) => change(row) ?? []) : part.rows
        if (rows.length > 0) await insertRows(query, table, rows, { withSequences: false })
        copied += part.rows.length
        onProgress({ table: table.name, copied, total })
      } else trailer = part.trailer
    }
    if (isBase) await noteBase(query, (header as Header).program.id, (header as Header).base, [])
    const { digests } = (trailer as Trailer).end
    const different = await compareTables(query, tables, (header as Header).program.id, digests)
    if (different.length > 0) throw new OperatorError(`${different.join(' ')} Nothing was imported.`)
    await query('commit')
    return { header: header as Header, digests, rows: copied }
  } catch (error) {
    if (header) await query('rollback').catch(() => {})
    throw error
  }
}

/**
 * Keeps which file the program is the state of, and the transactions of which its rows are: that of this import, and those of earlier
 * ones.
 */
export async function noteBase(query: Query, programId: string, base: Base, earlier: readonly string[]): Promise<void> {
  const [found] = await query<{ xmin: string }>(`select (pg_current_xact_id()::xid)::text as xmin`)
  const noted: NotedBase = { id: base.id, transactions: [...earlier, found?.xmin as string] }
  await query('update programs set base = $1::jsonb where id = $2::uuid', [JSON.stringify(noted), programId])
}

/** Begins the transaction of an import. @throws OperatorError if the file has a table that is unknown here */
export async function beginImport(query: Query, { tables: inFile }: Header): Promise<ProgramTable[]> {
  await query('begin')
  await query(`set local timezone = 'UTC'`)
  await query('set local statement_timeout = 0')
  // Counts and sums of the rows are in the file, so triggers add nothing to them.
  await query(`select set_config('tributary.imports_program', 'on', true)`)
  const tables = await readProgramTables(query)
  const unknown = inFile.find(({ name }) => !tables.some((table) => table.name === name))
  if (unknown) throw new OperatorError(`The file has a table that this database has not: ${unknown.name}.`)
  return tables
}
