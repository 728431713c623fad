import { insertRows } from '../move/copy.ts'
import { areEqual, type Digest, digestOf } from '../move/digest.ts'
import type { Query } from '../move/tables.ts'
import { OperatorError } from '../operator-error.ts'
import type { Header, Trailer } from './format.ts'
import { readProgramFile } from './read.ts'
import { ofPeople, type ProgramTable, readProgramTables } from './tables.ts'

export type Imported = { header: Header; digests: Record<string, Digest>; rows: number }

type ImportOptions = {
  file: string
  /** Checks whether the program can be imported here. */
  check: (header: Header) => Promise<void>
  /** Changes a row on its way to the database, or leaves it out; null for tables whose rows stay as they are. */
  convert: (table: string) => ((row: string) => string | null) | null
  onProgress: (progress: { table: string; copied: number; total: number }) => void
}

/**
 * Imports a program in one transaction: until all of it is there and equals what was exported, nothing is. Other programs
 * go on meanwhile.
 *
 * @throws OperatorError if the file is damaged, or if `check` throws
 */
export async function importProgram(
  query: Query,
  { file, check, convert, onProgress }: ImportOptions,
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
        tables = await begin(query, header)
      } else if ('table' in part) {
        const table = tables.find(({ name }) => name === part.table) as ProgramTable
        const change = convert(table.name)
        const rows = change ? part.rows.flatMap((row) => change(row) ?? []) : part.rows
        if (rows.length > 0) await insertRows(query, table, rows, { withSequences: false })
        copied += part.rows.length
        onProgress({ table: table.name, copied, total })
      } else trailer = part.trailer
    }
    const digests = await compare(query, header as Header, trailer as Trailer, tables)
    await query('commit')
    return { header: header as Header, digests, rows: copied }
  } catch (error) {
    if (header) await query('rollback').catch(() => {})
    throw error
  }
}

async function begin(query: Query, { tables: inFile }: Header): Promise<ProgramTable[]> {
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

async function compare(
  query: Query,
  { program }: Header,
  { end }: Trailer,
  tables: readonly ProgramTable[],
): Promise<Record<string, Digest>> {
  const digests: Record<string, Digest> = {}
  for (const table of tables) {
    const ours = await digestOf(query, table, { where: table.of(program.id), without: table.own })
    const theirs = end.digests[table.name]
    digests[table.name] = ours
    if (!ofPeople.includes(table.name) && !(theirs && areEqual(ours, theirs)))
      throw new OperatorError(
        `The copy of ${table.name} differs: the file has ${theirs?.count ?? 0} rows with checksum ${theirs?.checksum}, the database ${ours.count} with ${ours.checksum}. Nothing was imported.`,
      )
  }
  return digests
}
