import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { PassThrough } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { readRows } from '../move/copy.ts'
import { addUp, type Digest, partsOfDigest } from '../move/digest.ts'
import { type Query, quoted } from '../move/tables.ts'
import { formatVersion, type Header, type Trailer } from './format.ts'
import { ofPeople, readProgramTables } from './tables.ts'

export type Written = { digests: Record<string, Digest>; rows: number; bytes: number }

type WriteOptions = {
  programId: string
  file: string
  /** The parts of the header that the caller knows. */
  header: Pick<Header, 'schema' | 'exportedAt' | 'program' | 'keyCheck' | 'hasOwnKey'>
  /** Changes a row on its way to the file; null for tables whose rows stay as they are. */
  convert: (table: string) => ((row: string) => string) | null
  onProgress: (progress: { table: string; copied: number; total: number }) => void
}

/** Rows of people, with the e-mail address by which they are found in another installation. */
const withPerson = `to_jsonb(t) || (select jsonb_build_object('email', email, 'person_name', name) from people where id = t.person_id)`

/**
 * Writes a program as it is at one moment. Other transactions go on meanwhile. The file has its name when it is complete.
 *
 * @throws Error with code EEXIST if the file exists
 */
export async function writeProgram(query: Query, options: WriteOptions): Promise<Written> {
  const partial = `${options.file}.partial`
  await query('begin isolation level repeatable read read only')
  const lines = new PassThrough()
  const file = createWriteStream(partial, { mode: 0o600 })
  const written = pipeline(lines, createGzip({ level: 4 }), file)
  try {
    const result = await writeLines(query, options, lines)
    lines.end()
    await written
    await rename(partial, options.file)
    return { ...result, bytes: file.bytesWritten }
  } catch (error) {
    lines.destroy()
    await written.catch(() => {})
    await rm(partial, { force: true })
    throw error
  } finally {
    await query('rollback')
  }
}

async function writeLines(
  query: Query,
  { programId, header, convert, onProgress }: WriteOptions,
  out: PassThrough,
): Promise<Omit<Written, 'bytes'>> {
  await query(`set local timezone = 'UTC'`)
  await query('set local statement_timeout = 0')
  const tables = await readProgramTables(query)
  const digests: Record<string, Digest> = {}
  const counted: Header['tables'] = []
  for (const table of tables) {
    const [found] = await query<{ count: string }>(
      `select count(*)::text as count from ${quoted(table.name)} where ${table.of(programId)}`,
    )
    counted.push({ name: table.name, count: Number(found?.count) })
  }
  const total = counted.reduce((sum, { count }) => sum + count, 0)
  const hash = createHash('sha256')
  const write = async (text: string) => {
    hash.update(text)
    if (!out.write(text)) await new Promise((resolve) => out.once('drain', resolve))
  }
  const complete: Header = { file: 'tributary program', format: formatVersion, ...header, tables: counted }
  await write(`${JSON.stringify(complete)}\n`)
  let copied = 0
  for (const table of tables) {
    const row = ofPeople.includes(table.name) ? withPerson : 'to_jsonb(t)'
    const select = `(${row})::text as row, ${partsOfDigest(table, table.own)} as parts`
    const change = convert(table.name)
    const { add, digest } = addUp(table)
    for await (const rows of readRows<{ row: string; parts: string[] }>(query, table, {
      where: table.of(programId),
      select,
    })) {
      for (const { parts } of rows) add(parts)
      await write(`${rows.map(({ row }) => (change ? change(row) : row)).join('\n')}\n`)
      copied += rows.length
      onProgress({ table: table.name, copied, total })
    }
    digests[table.name] = digest()
  }
  const trailer: Trailer = { end: { digests, sha256: hash.digest('hex') } }
  out.write(`${JSON.stringify(trailer)}\n`)
  return { digests, rows: total }
}
