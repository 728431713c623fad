import { formatMoney } from '../../parts/format.tsx'
import { AffiliateLink } from '../affiliate-name.tsx'
import { texts } from '../texts.ts'
import { readCondition } from './condition.ts'
import { useConditionNames } from './use-condition-names.ts'

const words = texts.developers.webhooks

/** The condition of an endpoint in words; as JSON if the form cannot show it. */
export function ConditionFacts({ where }: { where: string }) {
  const condition = readCondition(where)
  const { affiliate, campaign } = useConditionNames(condition)
  if (!condition) return <code>{where}</code>
  const { campaignId, affiliateId, leastCents, currency } = condition
  return (
    <ul className="plain-list">
      {campaignId && (
        <li>
          {texts.money.campaign}: {campaign ?? campaignId}
        </li>
      )}
      {affiliateId && (
        <li>
          {texts.money.affiliate}: {affiliate ? <AffiliateLink affiliate={affiliate} /> : affiliateId}
        </li>
      )}
      {leastCents !== undefined && currency && (
        <li>
          {words.least}: {formatMoney(leastCents, currency)}
        </li>
      )}
    </ul>
  )
}
