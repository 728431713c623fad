import { refused } from './errors.ts'

/** How many rows of each kind refer to a row, by the kind in words: `{ referrals: 3, 'imported records': 1 }`. */
export type References = Record<string, number>

/** @throws REFUSED with what refers to the row, if anything does */
export function refuseReferenced(noun: string, references: References): void {
  const kinds = Object.entries(references).filter(([, count]) => count > 0)
  if (kinds.length === 0) return
  const told = kinds.map(([kind, count]) => `${count} ${count === 1 ? kind.replace(/s$/, '') : kind}`)
  throw refused(
    `The ${noun} cannot be deleted, because it is referred to by: ${told.join(', ')}. Archive it instead.`,
    kinds.map(([kind]) => kind.replaceAll(' ', '_')),
  )
}
