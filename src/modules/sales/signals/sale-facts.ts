import type { Affiliate, Campaign, Customer, Referral, Sale } from '../../../generated/prisma/client.ts'
import type { AgentClaim } from '../../affiliates/agents/read-claims.ts'
import type { Membership } from '../../affiliates/groups/membership.ts'
import type { History } from '../../commissions/calculate.ts'
import type { RuleSource } from '../../commissions/new-commission.ts'
import type { ProgressingReferral } from '../../referrals/progress.ts'
import type { AffiliateAddresses } from '../../referrals/self-referral.ts'

/** What names the affiliate of a sale. */
export type Signals = {
  referralId?: string | null | undefined
  /** Several codes are tried in order. */
  coupon?: readonly string[] | null | undefined
  /** What agents said, the best first. */
  affiliateAttribution?: readonly AgentClaim[] | null | undefined
  email?: string | null | undefined
}

export type SaleAffiliate = Pick<Affiliate, 'id' | 'state' | 'campaignId' | 'updatedAt'> &
  AffiliateAddresses & {
    /** When they had to have accepted terms that they have not accepted. Null without such terms. */
    termsRequiredFrom: Date | null
    /** The groups that the affiliate is or was in. */
    memberships: Membership[]
  }
export type SaleCampaign = RuleSource &
  Pick<Campaign, 'programId' | 'id' | 'daysBeforeReferralsExpire' | 'archivedAt' | 'updatedAt' | 'rulesVersion'>

/** A sale that was recorded before, with what decides about money. */
export type KnownSale = Pick<Sale, 'id' | 'amountCents' | 'currency'>

/** A referral that the sale may belong to. */
export type SaleReferral = ProgressingReferral &
  Pick<Referral, 'campaignId' | 'expiresAt' | 'endedAt' | 'createdAt'> & {
    affiliate: SaleAffiliate
    campaign: SaleCampaign
    customerEmail: string | null
    /** What it has earned so far, and when one of its commissions was voided last. */
    history: History & { voidedAt: Date | null }
    bought: Bought
  }

/** When the customer bought first and last. Null: never. */
export type Bought = { firstAt: Date | null; lastAt: Date | null }

export type NamedByAgent = Pick<SaleFacts, 'affiliate' | 'campaign' | 'ofAffiliate'> & {
  archivedAt: Date | null
  expiresAt: Date | null
}

export type SaleFacts = {
  /** The sale that was recorded with this external id, or null. */
  sale: KnownSale | null
  /** Whether refunds that were reported before the sale wait for it. */
  hasWaitingRefunds: boolean
  /** The unattributed sale with this external id, or null. `occurredAt` is null if only a feed said it. */
  kept: { occurredAt: Date | null } | null
  customer: Pick<Customer, 'id' | 'email' | 'name'> | null
  bought: Bought
  coupon: { id: string; archivedAt: Date | null } | null
  /** The affiliate that a person named, or that of the coupon; and its current campaign. */
  affiliate: SaleAffiliate | null
  campaign: SaleCampaign | null
  named: SaleReferral | null
  /** Whom what an agent said names. Null if it names nobody. */
  agent: NamedByAgent | null
  /** The customer's referral for a sale through `affiliate`, and for one through any active affiliate. */
  ofAffiliate: SaleReferral | null
  ofCustomer: SaleReferral | null
  /** Whether the customer is a lead at all, and of an active affiliate. */
  hasLeads: boolean
  hasActiveLeads: boolean
}
