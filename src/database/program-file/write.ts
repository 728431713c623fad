import { readRows } from '../move/copy.ts'
import { type Digest, partsOfDigest } from '../move/digest.ts'
import { type Query, quoted } from '../tables.ts'
import { type Bucket, fileKinds, formatVersion, type Header } from './format.ts'
import { makeBase } from './moment.ts'
import { type Output, writeLines } from './output.ts'
import { addToBuckets, type DigestedRow, digestOfBuckets } from './ranges.ts'
import { ofPeople, type ProgramTable, readProgramTables } from './tables.ts'

export type Written = { digests: Record<string, Digest>; rows: number; bytes: number }

export type WriteOptions = {
  programId: string
  file: string
  key: Buffer
  header: Pick<Header, 'schema' | 'exportedAt' | 'program' | 'keyCheck' | 'hasOwnKey'>
  /** Changes a row on its way to the file; null for tables whose rows stay as they are. */
  convert: (table: string) => ((row: string) => string) | null
  onProgress: (progress: { table: string; copied: number; total: number }) => void
  rangeRows?: number | undefined
}

/** Rows of people, with the e-mail address by which they are found in another installation. */
const withPerson = `to_jsonb(t) || (select jsonb_build_object('email', email, 'person_name', name) from people where id = t.person_id)`

export const rowAndParts = (table: ProgramTable): string =>
  `(${ofPeople.includes(table.name) ? withPerson : 'to_jsonb(t)'})::text as row, ${partsOfDigest(table, table.own)} as parts, xmin::text as "writtenBy"`

/** Reads rows in the order of `place`, of which ranges are made. @param where a condition in SQL */
export const readInPlace = (query: Query, table: ProgramTable, where: string) =>
  readRows<DigestedRow>(query, table, {
    where,
    select: rowAndParts(table),
    order: table.place.map(({ name }) => quoted(name)),
  })

/** A transaction that sees one moment, and blocks no other. */
export async function atOneMoment<T>(query: Query, run: () => Promise<T>): Promise<T> {
  await query('begin isolation level repeatable read read only')
  try {
    await query(`set local timezone = 'UTC'`)
    await query('set local statement_timeout = 0')
    return await run()
  } finally {
    await query('rollback')
  }
}

/** Writes a program as it is at one moment. Other transactions continue. */
export async function writeProgram(query: Query, options: WriteOptions): Promise<Written> {
  return await atOneMoment(query, async () => {
    let result: Omit<Written, 'bytes'> = { digests: {}, rows: 0 }
    const bytes = await writeLines(options.file, options.key, async (output) => {
      result = await writeTables(query, options, output)
    })
    return { ...result, bytes }
  })
}

async function writeTables(
  query: Query,
  { programId, header, convert, onProgress, rangeRows }: WriteOptions,
  { write, end }: Output,
): Promise<Omit<Written, 'bytes'>> {
  const base = await makeBase(query)
  const tables = await readProgramTables(query)
  const counted: Header['tables'] = []
  for (const table of tables) {
    const [found] = await query<{ count: string }>(
      `select count(*)::text as count from ${quoted(table.name)} where ${table.of(programId)}`,
    )
    counted.push({ name: table.name, count: Number(found?.count), ranges: 0 })
  }
  const total = counted.reduce((sum, { count }) => sum + count, 0)
  const complete: Header = { file: fileKinds.whole, format: formatVersion, ...header, base, tables: counted }
  await write(`${JSON.stringify(complete)}\n`)
  const digests: Record<string, Digest> = {}
  const buckets: Record<string, Bucket[]> = {}
  let copied = 0
  for (const table of tables) {
    const change = convert(table.name)
    const bucket = addToBuckets(table, rangeRows)
    for await (const rows of readInPlace(query, table, table.of(programId))) {
      for (const row of rows) bucket.add(row)
      await write(`${rows.map(({ row }) => (change ? change(row) : row)).join('\n')}\n`)
      copied += rows.length
      onProgress({ table: table.name, copied, total })
    }
    const made = bucket.end()
    digests[table.name] = digestOfBuckets(table, made)
    if (!table.isReplacedWhole) buckets[table.name] = made
  }
  end({ digests, buckets })
  return { digests, rows: total }
}
