import { rowType } from '../export.ts'
import { formats } from '../export-format.ts'
import type { Route } from '../route.ts'
import { errorResponseOf, requestIdHeader } from './responses.ts'
import { inWireWords, type Schema } from './schemas.ts'

export const formatParameter: Schema = {
  name: 'format',
  in: 'query',
  required: false,
  description: 'The format, where no `Accept` header can be sent.',
  schema: { type: 'string', enum: Object.keys(formats) },
}

/** What an export is, and its columns: of each what its field says of itself. */
export function exportDescription(route: Route): string {
  const columns = Object.values(rowType(route).getFields()).map(({ name, description }) =>
    description ? `- \`${name}\`: ${inWireWords(description)}` : `- \`${name}\``,
  )
  return [
    'A file of any size, in the order in which the rows were made, as CSV or JSON lines by `Accept`; CSV unless it says. What is written meanwhile may be in it or not; ask again with `updated_since` for what has changed. An export that fails on its way breaks the connection off and can be gone on with by `after`.',
    'In CSV a leading = + - @ or tab of a text has an apostrophe before it, so that no spreadsheet takes it for a formula; what is null is empty, and lists are joined by blanks.',
    ['Columns:', '', ...columns].join('\n'),
  ].join('\n\n')
}

const headers: Record<string, Schema> = {
  'Content-Disposition': {
    description: 'That it is a file, and what it is called: by the program, the resource and the day.',
    required: true,
    schema: { type: 'string' },
    example: 'attachment; filename="acme-sales-2026-03-05.csv"',
  },
  'Cache-Control': {
    description: 'It is not kept.',
    required: true,
    schema: { type: 'string', const: 'private, no-store' },
  },
}

/** The file, with one row as an example. */
export function exportResponseOf(row: Record<string, unknown>): Schema {
  const columns = Object.keys(row)
  const example = ({ head, lines }: (typeof formats)['csv' | 'ndjson']) => head(columns) + lines([row], columns)
  return {
    description: 'The file.',
    headers: { ...requestIdHeader, ...headers },
    content: {
      [formats.csv.contentType]: {
        schema: { type: 'string', description: 'Comma-separated values (RFC 4180), the first line names the columns.' },
        example: example(formats.csv),
      },
      [formats.ndjson.contentType]: {
        schema: { type: 'string', description: 'On each line a JSON object, with the columns as its keys.' },
        example: example(formats.ndjson),
      },
    },
  }
}

export const notAcceptable = errorResponseOf(
  'The caller takes neither format.',
  'An export is text/csv or application/x-ndjson. Name one of them in Accept.',
)
