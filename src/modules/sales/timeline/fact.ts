import type { Refund } from '../../../generated/prisma/client.ts'
import type { SaleToReward } from '../../rules/sale.ts'
import type { RuleVersion } from '../../rules/versions.ts'
import type { SaleCampaign } from '../signals/sale-facts.ts'

/** A refund that lowers a sale from `at` on, until it is reversed. */
export type RefundFact = {
  id: string
  amountCents: bigint
  /** The items that it names, as stored. */
  items: Refund['items']
  at: Date
  /** Whether the report said the time: then it comes after all sales of the instant. */
  isTimed: boolean
  reversedAt: Date | null
}

/**
 * What a sale has earned by facts that are not evaluated: an import, or a sale outside of what is evaluated. A void
 * commission is not counted.
 */
export type StoredOutcome = { amountCents: bigint; currency: string; ruleId: string | null; isCounted: boolean } | null

/** A sale, and everything beside other sales that decides what it earns. */
export type SaleFact = Omit<SaleToReward, 'customerSince' | 'items'> & {
  id: string
  externalId: string | null
  /** Whether its report said when it occurred. Otherwise it occurred when it was recorded. */
  isTimed: boolean
  /** Sales with the same key are of one customer. */
  customerKey: string
  referralId: string
  campaignId: string
  items: NonNullable<SaleToReward['items']>
  /** The campaign and its rules when the sale occurred. Null: the campaign had no rules beside its reward. */
  campaign: SaleCampaign
  version: RuleVersion | null
  /** When the customer had bought before any known sale, by an import. Null otherwise. */
  convertedAt: Date | null
  refunds: readonly RefundFact[]
  /** When a person voided its commission, with the id of that fact. */
  voided: { at: Date; id: string } | null
  /** The amount that a person set. Null if the rules decide. */
  setCents: bigint | null
  /** Why it earns nothing under any rules. False: its rules decide. */
  isRejected: false | 'self_referral' | 'attribution_undone'
  /** Whether its commission was fixed by a payment before a refund: then it holds its place also after that. */
  holdsPlace: boolean
  /** Set if the sale only counts: what it earned stays. */
  stored?: { outcome: StoredOutcome }
}

/** Where a sale is among others. */
export type Place = Pick<SaleFact, 'id' | 'externalId' | 'occurredAt' | 'isTimed'>

/**
 * Whether the external id decides between a sale and others of its instant. Those of which it does not come after them,
 * as they were recorded.
 */
export const isPlacedById = ({ externalId, isTimed }: Pick<Place, 'externalId' | 'isTimed'>): boolean =>
  externalId !== null && isTimed

/** The one order of sales: by when they occurred, and those of one instant as `isPlacedById` says. */
export const bySale = (a: Place, b: Place): number =>
  a.occurredAt.getTime() - b.occurredAt.getTime() ||
  Number(isPlacedById(b)) - Number(isPlacedById(a)) ||
  (isPlacedById(a) ? compare(a.externalId ?? '', b.externalId ?? '') : 0) ||
  compare(a.id, b.id)

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
