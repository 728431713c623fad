import type { Listing } from './listing.ts'

const byNoun = new Map<string, Listing>()

/** Registers what can be listed of a noun. Each module's `listing.ts` calls this once. */
export function defineListing(listing: Listing): Listing {
  byNoun.set(listing.noun, listing)
  return listing
}

/**
 * A listing by its noun. Listings name each other in circles (an affiliate has sales, a sale has an affiliate), modules
 * cannot; so a listing names the other's noun and it is looked up here, once all modules are loaded.
 */
export function listingOf(noun: string): Listing {
  const listing = byNoun.get(noun)
  if (!listing) throw new Error(`No listing is defined for ${noun}.`)
  return listing
}
