import type { AttributionSignal, HeldReason } from '../../../generated/prisma/enums.ts'
import type { DroppedField, FeedReport, SignalOutcome } from '../decision.ts'
import type { SaleAffiliate, SaleCampaign, SaleFacts, SaleReferral, Signals } from './sale-facts.ts'

/** A lead or a visit counts for a sale that occurred up to this long before it, because clocks differ. */
export const clockGraceMinutes = 10

/** Null where the sale does not give it. */
export type FactsQuery = {
  programId: string
  externalId: string | null
  referral: { ownId: string | null; given: string | null; inOwnCase: string | null }
  couponKeys: readonly string[]
  emailKey: string | null
  /** An affiliate that a person named. Default: the coupon's. */
  affiliateId: string | null
  occurredAt: Date
}

export type ReportedSale = Signals & { occurredAt: Date; dropped: DroppedField[]; feed?: FeedReport | undefined }

/** What a signal has led to. */
export type MatchedSignal = {
  /** Null if the sale gets a new referral. */
  referral: SaleReferral | null
  affiliate: SaleAffiliate
  /** The campaign of the referral, or of the affiliate for a new one. */
  campaign: SaleCampaign
  couponId: string | null
  /** Why a person has to approve the commission under any rules. */
  heldReason: HeldReason | null
}
export type SignalMiss = Exclude<SignalOutcome, 'matched' | 'not_tried'>

/** A part of the statement that reads the facts of a sale. */
export type FactsPart = {
  /** Common table expressions. */
  tables?: string[]
  /** The id of an affiliate. */
  affiliate?: string
  /** Ids of referrals, by the name of the fact. */
  chosen?: Record<string, string>
  /** Values, by the name of the fact. */
  found?: Record<string, string>
}

/** What a statement looks for by a signal. */
export type Lookup = {
  types: string[]
  values(query: FactsQuery): unknown[]
  /** @param parameters with their types @param hasAffiliate whether something else of the sale names an affiliate */
  part(parameters: readonly string[], hasAffiliate: boolean): FactsPart
}

/** A signal that can connect a sale with an affiliate. Its file has all that a report knows about it. */
export type Signal = {
  signal: AttributionSignal
  /** Its field in a report. */
  field: keyof Signals
  /** Whether few sales have it, so that only those list it among the signals that were tried. */
  isRare?: boolean
  lookups: Readonly<Record<string, Lookup>>
  /**
   * The name of the lookup for a sale. Null: the sale does not give the signal.
   * @param searchesImported whether to search a referral by its id on the server that it came from
   */
  lookupFor(query: FactsQuery, searchesImported: boolean): string | null
  /** Which referral the sale belongs to by it, or why none. The sale gives it. */
  match(sale: ReportedSale, facts: SaleFacts): MatchedSignal | SignalMiss
}

export const existing = (referral: SaleReferral): MatchedSignal => ({
  referral,
  affiliate: referral.affiliate,
  campaign: referral.campaign,
  couponId: null,
  heldReason: null,
})

/** When the customer bought first, by a sale or by an import of referrals, and the time of the last sale. */
export const bought = (customerId: string, or = '') => `(
    select json_build_object('firstAt', least(min(s.occurred_at), (select min(became_conversion_at) from referrals
        where program_id = $1::uuid and customer_id = ${customerId})), 'lastAt', max(s.occurred_at))
    from sales s where s.program_id = $1::uuid and (s.customer_id = ${customerId} ${or}))`
