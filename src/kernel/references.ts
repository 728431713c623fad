import { type ReferenceKind, refused } from './errors.ts'

export type References = Partial<Record<ReferenceKind, number>>

/** @throws REFUSED with what refers to the row, if anything does */
export function refuseReferenced(noun: string, references: References): void {
  const found = (Object.entries(references) as [ReferenceKind, number][]).filter(([, count]) => count > 0)
  if (found.length === 0) return
  const counted = found.map(([kind, count]) => {
    const rows = kind.replaceAll('_', ' ')
    return `${count} ${count === 1 ? rows.replace(/s$/, '') : rows}`
  })
  throw refused(
    `The ${noun} cannot be deleted, because it is referred to by: ${counted.join(', ')}. Archive it instead.`,
    found.map(([kind]) => kind),
  )
}
