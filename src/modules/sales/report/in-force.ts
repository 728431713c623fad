import type { ProgramCtx } from '../../../kernel/context.ts'
import type { SqlTransaction } from '../../../kernel/db.ts'
import { periodOf } from '../../../kernel/periods.ts'
import { couponKey } from '../../affiliates/coupons/code.ts'
import { groupsAt } from '../../affiliates/groups/membership.ts'
import { affiliateCampaignIdAsOf, campaignAsOf } from '../../history/point-in-time.ts'
import { type Counted, chosenFor, countsSales, currencyOf, rulesChosen, termsOf } from '../../rules/apply.ts'
import { needsUse, unused } from '../../rules/cap.ts'
import { lockAffiliate, readCapUse } from '../../rules/cap-use.ts'
import { readStanding } from '../../rules/read-standing.ts'
import { tiersOf } from '../../rules/rewards/all.ts'
import type { StoredRule } from '../../rules/rule.ts'
import type { SaleToReward, SoldItem } from '../../rules/sale.ts'
import { nothingSold, wholePeriodTiers } from '../../rules/tiers.ts'
import { type RuleVersion, ruleVersionAt } from '../../rules/versions.ts'
import type { SaleCampaign } from '../signals/sale-facts.ts'
import type { Attribution } from './attribute.ts'
import { readSaleCampaign } from './facts.ts'

type ReportedSale = Pick<SaleToReward, 'billingInterval' | 'paymentNumber'> & {
  items: SoldItem[] | null
  amountCents: bigint
  currency: string
  occurredAt: Date
  /** The codes that were reported. */
  coupons: readonly string[]
}

/** An attribution with the rules of when the sale occurred. */
export type AttributionWithRules = Attribution & {
  /** Null: the campaign had no rules beside its reward. */
  version: RuleVersion | null
  groupIds: string[]
  /** Whether caps or tiers count the sales of the affiliate, so that their order matters. */
  countsAffiliate: boolean
}

/**
 * The attribution with the rules of when the sale occurred: those of its referral's campaign, or of the affiliate's
 * campaign at the time. A new referral expires by the present rule. If a rule counts the affiliate's
 * earlier sales, the affiliate is locked.
 * @param customerSince when the customer bought first, before the sale
 */
export async function withRulesOfTime(
  { program }: ProgramCtx,
  tx: SqlTransaction,
  attribution: Attribution,
  { coupons, ...sale }: ReportedSale,
  customerSince: Date | null,
): Promise<AttributionWithRules> {
  const { occurredAt } = sale
  const { referral, affiliate, campaign: present } = attribution
  const { programId } = present
  const campaignId = referral ? present.id : await affiliateCampaignIdAsOf(tx, { ...affiliate, programId }, occurredAt)
  const current = campaignId === present.id ? present : await readSaleCampaign(tx, programId, campaignId)
  const { daysBeforeReferralsExpire } = current
  const campaign: SaleCampaign = { ...(await campaignAsOf(tx, current, occurredAt)), daysBeforeReferralsExpire }
  const version = await ruleVersionAt(tx, current, occurredAt)
  const couponKeys = coupons.map(couponKey)
  if (!version) return { ...attribution, couponKeys, campaign, version, groupIds: [], countsAffiliate: false }
  const groupIds = groupsAt(affiliate.memberships, occurredAt)
  const facts = { ...sale, affiliateId: affiliate.id, groupIds, items: sale.items ?? [], couponKeys, customerSince }
  const chosen = chosenFor(campaign, version, facts)
  const counting = rulesChosen(chosen).filter(countsSales)
  const isWhole = version.rules.some((rule) => wholePeriodTiers(rule))
  const countsAffiliate = counting.some(({ cap }) => needsUse(cap)) || version.rules.some(isAbove)
  if (isWhole || countsAffiliate) await lockAffiliate(tx, programId, affiliate.id)
  const of = { programId, affiliateId: affiliate.id, campaignId, timeZone: program.timeZone }
  const counted = new Map<string, Counted>()
  for (const rule of counting) counted.set(rule.id, await countedOf(tx, of, rule, sale))
  const terms = termsOf(campaign, chosen, facts, counted)
  const counts = { version, groupIds, countsAffiliate }
  return { ...attribution, couponKeys, campaign: terms, hasWholePeriods: isWhole, ...counts }
}

const isAbove = (rule: StoredRule): boolean => tiersOf(rule)?.appliesTo === 'above'

type Seller = { programId: string; affiliateId: string; campaignId: string; timeZone: string }

/** What a rule counts, under the lock of the affiliate. */
async function countedOf(
  tx: SqlTransaction,
  { timeZone, ...of }: Seller,
  rule: StoredRule,
  sale: { currency: string; occurredAt: Date },
): Promise<Counted> {
  const { occurredAt } = sale
  const currency = currencyOf(rule, sale)
  const tiers = tiersOf(rule)
  return {
    use: needsUse(rule.cap) ? await readCapUse(tx, { ...of, rule }, { currency, occurredAt, timeZone }) : unused,
    standing: tiers
      ? await readStanding(
          tx,
          of,
          { sale: sale.currency, commission: currency },
          periodOf(occurredAt, tiers.period, timeZone),
        )
      : nothingSold,
  }
}
