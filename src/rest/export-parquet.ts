import { type GraphQLObjectType, getNamedType, getNullableType, isListType } from 'graphql'
import { type BasicType, ByteWriter, ParquetWriter, schemaFromColumnData } from 'hyparquet-writer'
import type { ExportFile, Row } from './export-format.ts'

/** How the values of GraphQL's scalars are stored; all others are texts. */
const typesOfScalars: Record<string, BasicType> = {
  Int: 'INT64',
  SafeInt: 'INT64',
  Boolean: 'BOOLEAN',
  DateTime: 'TIMESTAMP',
}

/**
 * Writes rows as Apache Parquet, compressed with Snappy. Each batch is a row group, so memory stays the same at any
 * size. Amounts are 64-bit integers in minor units, and times are UTC. All columns can be null.
 * @param own the columns that only the program has: texts
 */
export function parquetFile(rowType: GraphQLObjectType, own: readonly string[]): ExportFile {
  const columns = [
    ...Object.values(rowType.getFields()).map(({ name, type }) => ({
      name,
      type: isListType(getNullableType(type)) ? 'STRING' : (typesOfScalars[getNamedType(type).name] ?? 'STRING'),
    })),
    ...own.map((name) => ({ name, type: 'STRING' as const })),
  ] satisfies { name: string; type: BasicType }[]
  const writer = new ByteWriter()
  const schema = schemaFromColumnData({
    columnData: columns.map(({ name, type }) => ({ name, type, data: [], nullable: true })),
  })
  const file = new ParquetWriter({ writer, schema, createdBy: 'Tributary' })
  /** What was written since the last call. Offsets in the file go on. */
  const written = (): Uint8Array => {
    const bytes = writer.getBytes().slice()
    writer.index = 0
    return bytes
  }
  return {
    rows(rows) {
      if (rows.length > 0)
        file.write({
          columnData: columns.map(({ name, type }) => ({ name, data: rows.map((row) => cell(type, row[name])) })),
          rowGroupSize: rows.length,
        })
      return written()
    },
    end() {
      file.finish()
      return written()
    },
  }
}

function cell(type: BasicType, value: Row[string]): unknown {
  if (value === null || value === undefined) return null
  if (type === 'INT64') return BigInt(value as number | bigint)
  if (type === 'TIMESTAMP') return value instanceof Date ? value : new Date(value as string)
  if (type === 'BOOLEAN') return value
  return Array.isArray(value) ? value.join(' ') : String(value)
}
