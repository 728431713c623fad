import type { Listing } from './listing.ts'

const byNoun = new Map<string, Listing>()

/** Registers the listing of a noun. Each `listing.ts` calls this once. */
export function defineListing(listing: Listing): Listing {
  byNoun.set(listing.noun, listing)
  return listing
}

/**
 * Returns the listing of a noun. Relations between listings are circular (an affiliate has sales, a sale has an affiliate),
 * but imports must not be. So listings refer to each other by noun, and are looked up after all modules are loaded.
 */
export function listingOf(noun: string): Listing {
  const listing = byNoun.get(noun)
  if (!listing) throw new Error(`No listing is defined for ${noun}.`)
  return listing
}
