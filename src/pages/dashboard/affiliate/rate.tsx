import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { WholeAffiliateFragment } from '../../../generated/dashboard/affiliate/graphql.ts'
import { type CampaignRuleFragment, CampaignRulesDocument } from '../../../generated/dashboard/campaigns/graphql.ts'
import { formatDate } from '../../parts/locale.ts'
import { nameOf } from '../affiliate-name.tsx'
import { useData } from '../api/use-data.ts'
import { rewardOf } from '../campaigns/reward.ts'
import type { Names } from '../campaigns/rules/conditions/condition.ts'
import { conditionsOf, rewardOfRule } from '../campaigns/rules/words.ts'
import { useProgram } from '../session/use-program.ts'
import { texts } from '../texts.ts'
import { Card } from '../ui/card.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { GiveRate } from './give-rate.tsx'

const words = texts.affiliates.one.rate

/** What the affiliate earns, and by which rule: the first whose conditions hold. */
export function Rate({ affiliate }: { affiliate: WholeAffiliateFragment }) {
  const { program, canChange } = useProgram()
  const [isGiving, setGiving] = useState(false)
  const { campaign } = affiliate
  const { data } = useData(CampaignRulesDocument, { id: campaign.id })
  const rules = (data?.campaign?.rules ?? []).filter((rule) => concerns(rule, affiliate))
  const names: Names = new Map([
    [affiliate.id, nameOf(affiliate)],
    ...affiliate.groups.map(({ id, name }): [string, string] => [id, name]),
  ])
  const close = () => setGiving(false)
  return (
    <Card
      title={words.title}
      lead={words.lead}
      actions={
        canChange && (
          <button type="button" onClick={() => setGiving(true)}>
            {words.give}
          </button>
        )
      }
    >
      <ol className="sentences">
        {rules.map((rule) => (
          <li key={rule.id}>
            <strong>{rewardOfRule(rule, program.currency)}</strong> {words.byRule(rule.name)}
            <span className="quiet">
              {' · '}
              {[conditionsOf(rule, names), periodOf(rule)].join(' · ')}
            </span>
          </li>
        ))}
        <li>
          <strong>{rewardOf(campaign)}</strong> {rules.length > 0 ? words.otherwise : words.byCampaign}{' '}
          <Link to="/$program/campaigns/$id" params={{ program: program.slug, id: campaign.id }}>
            {campaign.name}
          </Link>
        </li>
      </ol>
      <Dialog title={words.giveTitle(nameOf(affiliate))} lead={words.giveLead} isOpen={isGiving} onClose={close}>
        <GiveRate affiliate={affiliate} onDone={close} />
      </Dialog>
    </Card>
  )
}

/** Whether a rule can apply to a sale of the affiliate, now or later. */
function concerns({ conditions, endsAt }: CampaignRuleFragment, { id, groups }: WholeAffiliateFragment): boolean {
  const { affiliateIds, groupIds } = conditions
  const isOver = endsAt !== null && new Date(endsAt) <= new Date()
  const isTheirs = !affiliateIds || affiliateIds.includes(id)
  return !isOver && isTheirs && (!groupIds || groups.some((group) => groupIds.includes(group.id)))
}

const periodOf = ({ startsAt, endsAt }: CampaignRuleFragment) =>
  texts.campaigns.rules.period(formatDate(startsAt), endsAt && formatDate(endsAt))
