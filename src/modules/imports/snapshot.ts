/** A value as the column `imported_records.seen` stores it: 64-bit integers as text, times in ISO 8601. */
type StoredValue = string | number | boolean | null

/** The fields of a source record as they were last read. */
export type Snapshot = Record<string, StoredValue>

export function storedValue(value: unknown): StoredValue {
  if (typeof value === 'bigint') return String(value)
  return value instanceof Date ? value.toISOString() : ((value ?? null) as StoredValue)
}

export const snapshotOf = (fields: object): Snapshot =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, storedValue(value)]))

/** Only the fields that the source shows. The others keep their value here, and in the snapshot. */
export const shownFields = <F extends object>(fields: F, isShown: (field: string) => boolean): Partial<F> =>
  Object.fromEntries(Object.entries(fields).filter(([field]) => isShown(field))) as Partial<F>

export function dateIn(snapshot: Snapshot, field: string): Date | null {
  const value = snapshot[field]
  return typeof value === 'string' ? new Date(value) : null
}

/** An amount in a snapshot. A missing one counts as zero. */
export const centsIn = (snapshot: Snapshot, field: string): bigint => BigInt(String(snapshot[field] ?? 0))

/**
 * Merges an imported record three ways: the source now, the source as last read, and the row here. A field that changed
 * only at the source is a change. If it changed on both sides, the row keeps its value: a conflict.
 * @param base the fields as they were last read
 */
export function mergeChanges<F extends object>(
  row: object,
  base: Snapshot,
  fields: F,
): { changes: Partial<F>; conflicts: string[] } {
  const changes: Partial<F> = {}
  const conflicts: string[] = []
  for (const [field, value] of Object.entries(fields)) {
    const [there, here] = [storedValue(value), storedValue((row as Snapshot)[field])]
    if (there === base[field] || there === here) continue
    if (here === base[field]) changes[field as keyof F] = value
    else conflicts.push(field)
  }
  return { changes, conflicts }
}
