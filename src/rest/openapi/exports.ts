import type { GraphQLObjectType } from 'graphql'
import { snakeCase } from '../../kernel/text.ts'
import { decimalMarks } from '../../modules/exports/lines.ts'
import { publicSchema } from '../../schema/schema.ts'
import { rowType } from '../export.ts'
import { formatNames, formats, parquet } from '../export-format.ts'
import type { Route } from '../route.ts'
import { requestIdHeader } from './responses.ts'
import { type Schema, withWireNames } from './schemas.ts'

const parameter = (name: string, schema: Schema, description: string): Schema => ({
  name,
  in: 'query',
  required: false,
  description,
  schema,
})

/** What every export accepts. */
export const fileParameters: Schema[] = [
  parameter(
    'format',
    { type: 'string', enum: formatNames },
    'The format of the file. Takes precedence over the `Accept` header.',
  ),
  parameter(
    'bom',
    { type: 'boolean', default: false },
    'Whether a CSV file begins with a byte-order mark. Excel on Windows needs it to read UTF-8.',
  ),
  parameter(
    'decimal',
    { type: 'string', enum: [...decimalMarks] },
    'In CSV: write amounts in units of their currency, with this decimal mark. Their columns have no `_cents` in their names. With `comma`, cells are divided by semicolons, as spreadsheets with a decimal comma expect.',
  ),
]

export function exportDescription(route: Route): string {
  const row = rowType(route)
  const noun = publicSchema.getType(row.name.replace(/Row$/, '')) as GraphQLObjectType | undefined
  // Most columns are fields of the noun.
  const ofNoun = new Map(
    Object.values(noun?.getFields() ?? {}).map(({ name, description }) => [snakeCase(name), description]),
  )
  const columns = Object.values(row.getFields()).map(
    ({ name, description }) => `- \`${name}\`: ${withWireNames(description ?? ofNoun.get(name) ?? '')}`,
  )
  return [
    'A streamed file of any size, in CSV, JSON Lines or Apache Parquet. The `Accept` header selects the format. The default is CSV, also if `Accept` allows neither. Rows are in order of creation. Rows written during the export may be missing; export again with `updated_since` to get changes. If an export fails after it has started, the connection is closed. Continue it with `after`.',
    'In CSV, texts that start with = + - @ or a tab get a leading apostrophe, so that spreadsheets do not run them as formulas. Null is an empty cell. Items of a list are separated by spaces.',
    ['Columns:', '', ...columns].join('\n'),
  ].join('\n\n')
}

const headers: Record<string, Schema> = {
  'Content-Disposition': {
    description: 'The name of the file: program, resource and date.',
    required: true,
    schema: { type: 'string' },
    example: 'attachment; filename="acme-sales-2026-03-05.csv"',
  },
  'Cache-Control': {
    description: 'The response is not cached.',
    required: true,
    schema: { type: 'string', const: 'private, no-store' },
  },
}

/** @param row an example */
export function exportResponseOf(row: Record<string, unknown>): Schema {
  const columns = Object.keys(row)
  const example = ({ head, lines }: (typeof formats)['csv' | 'ndjson']) => head(columns) + lines([row], columns)
  return {
    description: 'The file.',
    headers: { ...requestIdHeader, ...headers },
    content: {
      [formats.csv.contentType]: {
        schema: {
          type: 'string',
          description: 'Comma-separated values (RFC 4180). The first line has the names of the columns.',
        },
        example: example(formats.csv),
      },
      [formats.ndjson.contentType]: {
        schema: { type: 'string', description: 'One JSON object per line, with the columns as keys.' },
        example: example(formats.ndjson),
      },
      [parquet.contentType]: {
        schema: { type: 'string', format: 'binary', description: 'Apache Parquet, compressed with Snappy.' },
      },
    },
  }
}
