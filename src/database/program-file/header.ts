import { z } from 'zod'
import { OperatorError } from '../operator-error.ts'
import { fileKinds, type Header, type Trailer } from './format.ts'

/** Ids are compared as text and become part of statements, so they have the database's form. */
const id = z.string().regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, 'must be a UUID in lower case')
const digits = z.string().regex(/^\d{1,39}$/, 'must be digits')
// biome-ignore lint/suspicious/noControlCharactersInRegex: PostgreSQL stores no text with this character.
const text = z.string().regex(/^[^\u0000]*$/, 'must not have the character NUL')
const count = z.int().min(0)

const mostRows = 2 ** 32

const base = z.object({ id, cluster: digits, database: digits, timeline: text, since: digits })

const header = z.object({
  file: z.enum(fileKinds),
  format: z.int(),
  schema: text,
  exportedAt: text,
  program: z.object({ id, slug: text, name: text, publishableKeys: z.array(text).max(2) }),
  keyCheck: text,
  hasOwnKey: z.boolean(),
  base,
  next: base.optional(),
  tables: z
    .array(z.object({ name: text, count, ranges: count }))
    .max(500)
    .refine((tables) => new Set(tables.map(({ name }) => name)).size === tables.length, 'names a table twice')
    .refine((tables) => tables.reduce((sum, one) => sum + one.count + one.ranges, 0) <= mostRows, 'has too many rows'),
})

const signed = z.string().regex(/^-?\d{1,39}$/, 'must be a whole number')
const digest = z.object({ count: digits, checksum: signed, sums: z.record(text, signed).nullable() })
const place = z.array(text)

const end = z.object({
  digests: z.record(text, digest),
  buckets: z.record(text, z.array(z.object({ from: place, to: place, digest, transactions: digits }))).optional(),
  changed: z.record(text, digest).optional(),
  sha256: z.string(),
  mac: z.string().optional(),
})

/** The first line of a file. @throws OperatorError with what is wrong in it */
export function readHeaderLine(line: Record<string, unknown>): Header {
  const parsed = header.safeParse(line)
  if (!parsed.success) throw unusable('first', parsed.error)
  const { tables, file } = parsed.data
  const programs = tables.find(({ name }) => name === 'programs')?.count ?? 0
  if (programs > 1 || (programs === 0 && file === fileKinds.whole))
    throw new OperatorError(
      `The file has ${programs} programs. A file is of one program: export each with export-program. Nothing was imported.`,
    )
  return line as Header
}

/** The last line of a file. @throws OperatorError with what is wrong in it */
export function readTrailerLine(line: { end?: unknown } | null): Trailer {
  const parsed = end.safeParse(line?.end)
  if (!parsed.success) throw unusable('last', parsed.error)
  // As it was read: the code that shows who wrote it depends on the order of its fields.
  return line as Trailer
}

function unusable(which: 'first' | 'last', { issues: [first] }: z.ZodError): OperatorError {
  const where = first?.path.join('.') || 'it'
  const what = which === 'first' ? 'The first line of the file' : 'The file is damaged: its last line'
  return new OperatorError(
    `${what} is not one of export-program: ${where}: ${first?.message}. Nothing was imported. Copy or export it again.`,
  )
}
