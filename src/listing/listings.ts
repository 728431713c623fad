import { affiliateCouponListing } from '../affiliate-coupons/listing.ts'
import { affiliateLinkListing } from '../affiliate-links/listing.ts'
import { affiliateListing } from '../affiliates/listing.ts'
import { campaignListing } from '../campaigns/listing.ts'
import { commissionListing } from '../commissions/listing.ts'
import { customerListing } from '../customers/listing.ts'
import { payoutListing } from '../payouts/listing.ts'
import { referralListing } from '../referrals/listing.ts'
import { refundListing } from '../refunds/listing.ts'
import { saleListing } from '../sales/listing.ts'
import { unattributedSaleListing } from '../unattributed-sales/listing.ts'
import type { Listing } from './listing.ts'

const listings = [
  affiliateCouponListing,
  affiliateLinkListing,
  affiliateListing,
  campaignListing,
  commissionListing,
  customerListing,
  payoutListing,
  referralListing,
  refundListing,
  saleListing,
  unattributedSaleListing,
]

const byNoun = new Map<string, Listing>(listings.map((listing) => [listing.noun, listing]))

/** What can be asked of a noun, by its name: conditions name each other's nouns in circles, modules can not. */
export function listingOf(noun: string): Listing {
  const listing = byNoun.get(noun)
  if (!listing) throw new Error(`Nothing is listed that is called ${noun}.`)
  return listing
}
