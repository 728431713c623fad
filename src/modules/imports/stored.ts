import { restored } from '../history/fields.ts'

/** A value as the column `imported_records.seen` holds it: 64-bit integers as text, moments in ISO 8601. */
type Stored = string | number | boolean | null
export type Seen = Record<string, Stored>

export function stored(value: unknown): Stored {
  if (typeof value === 'bigint') return String(value)
  return value instanceof Date ? value.toISOString() : ((value ?? null) as Stored)
}

export const storedFields = (fields: object): Seen =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, stored(value)]))

/** A moment as it was stored. */
export const momentIn = (seen: Seen, field: string): Date | null =>
  restored('instant', seen[field] ?? null) as Date | null

/**
 * What of a record that was imported before has changed at the source since. A field that was changed here too, to
 * something else, stays as it is here.
 *
 * @param seen the fields as they were read last
 */
export function changedSince<F extends object>(
  row: object,
  seen: Seen,
  fields: F,
): { changes: Partial<F>; kept: string[] } {
  const changes: Partial<F> = {}
  const kept: string[] = []
  for (const [field, value] of Object.entries(fields)) {
    const [there, here] = [stored(value), stored((row as Seen)[field])]
    if (there === seen[field] || there === here) continue
    if (here === seen[field]) changes[field as keyof F] = value
    else kept.push(field)
  }
  return { changes, kept }
}
