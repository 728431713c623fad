/** How often a sale is billed. */
export const billingIntervals = ['one_off', 'month', 'year'] as const

/** A product in a sale. `amountCents` is text: all units together, in minor units of the sale's currency. */
export type SoldItem = { productId: string; name: string | null; amountCents: string; quantity: number }

/** What the conditions of a rule are about. */
export type SaleToReward = {
  affiliateId: string
  /** The groups that the affiliate was in when the sale occurred. */
  groupIds: readonly string[]
  /** The keys of all codes that were reported. */
  couponKeys: readonly string[]
  amountCents: bigint
  /** Lower-case ISO 4217. */
  currency: string
  occurredAt: Date
  /** What they leave of the amount is no product. */
  items?: readonly SoldItem[]
  /** Null if the report did not say. */
  billingInterval: (typeof billingIntervals)[number] | null
  /** Which payment of its subscription it is by the billing system, from 1. Null if the report did not say. */
  paymentNumber: number | null
  /** When the first sale of the customer in the program occurred. Null if this is the first one. */
  customerSince: Date | null
}

/** A part of a sale. Null: the part that is no product. */
export type SoldPart = SaleToReward & { productId: string | null }
