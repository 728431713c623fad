import type { Listing } from '../listing/listing.ts'
import { describedLike } from './described-like.ts'
import { inWords } from './names.ts'

/**
 * The description of a listing's field: its own, else that of the object type's field with the same name. An amount in
 * cents is an object with its currency there.
 * @param texts what to put before and after it
 */
export function descriptionOfListed(
  listing: Listing,
  name: string,
  { before = '', after = '' }: { before?: string; after?: string } = {},
) {
  const field = listing.fields[name]
  const reference = /^(.+)Id$/.exec(name)?.[1]
  const own =
    field?.description ??
    (reference && reference in listing.fields
      ? `The id of the ${inWords(listing.noun)}'s ${inWords(reference)}.`
      : undefined)
  if (own) return { description: [before, own, after].filter(Boolean).join(' ') }
  return describedLike(listing.noun, [name, name.replace(/Cents$/, '')], { before, after })
}
