import type { Listing } from './listing.ts'

const byNoun = new Map<string, Listing>()

/** Registers the listing of a noun. Each `listing.ts` calls this once. */
export function defineListing(listing: Listing): Listing {
  byNoun.set(listing.noun, listing)
  return listing
}

/** Listings refer to each other in circles, but imports must not: they are looked up after all modules are loaded. */
export function listingOf(noun: string): Listing {
  const listing = byNoun.get(noun)
  if (!listing) throw new Error(`No listing is defined for ${noun}.`)
  return listing
}
