import { useState } from 'react'
import {
  type CampaignRuleFragment,
  CampaignRulesDocument,
  RuleNamesDocument,
} from '../../../../generated/dashboard/campaigns/graphql.ts'
import { formatCount } from '../../../parts/format.tsx'
import { formatDate } from '../../../parts/locale.ts'
import { type Column, Table } from '../../../parts/table.tsx'
import { nameOf } from '../../affiliate-name.tsx'
import { action } from '../../api/action.ts'
import { useAction, useData } from '../../api/use-data.ts'
import { useProgram } from '../../session/use-program.ts'
import { texts } from '../../texts.ts'
import { Card } from '../../ui/card.tsx'
import { Confirm, Dialog } from '../../ui/dialog.tsx'
import { useToast } from '../../ui/toast.tsx'
import type { Names, Picks } from './conditions/condition.ts'
import { RuleForm } from './rule-form.tsx'
import { conditionsOf, rewardOfRule } from './words.ts'

const words = texts.campaigns.rules

type Props = { campaign: { id: string; commissionCurrency: string } }

/** The commission rules of a campaign, in the order in which they are tried. */
export function Rules({ campaign }: Props) {
  const { canChange, program } = useProgram()
  const [isCreating, setCreating] = useState(false)
  const [ending, setEnding] = useState<CampaignRuleFragment>()
  const [changing, setChanging] = useState<CampaignRuleFragment>()
  const { data } = useData(CampaignRulesDocument, { id: campaign.id })
  const show = useToast()
  const [end] = useAction(action('endCommissionRule'))
  const rules = data?.campaign?.rules ?? []
  const groups = data?.affiliateGroups.nodes ?? []
  const { names, picks } = useNames(rules)
  const columns: Column<CampaignRuleFragment>[] = [
    { name: words.rule, cell: ({ name }) => name },
    { name: words.reward, cell: (rule) => rewardOfRule(rule, program.currency), isPlain: true },
    { name: words.conditions, cell: (rule) => conditionsOf(rule, names), isPlain: true },
    { name: words.holds, cell: holdsOf, isPlain: true },
    ...(canChange
      ? [
          {
            name: texts.actions,
            isPlain: true,
            cell: (rule: CampaignRuleFragment) => (
              <>
                <button type="button" className="quiet-button" onClick={() => setChanging(rule)}>
                  {words.change}
                  <span className="unseen"> {rule.name}</span>
                </button>{' '}
                <button type="button" className="quiet-button" onClick={() => setEnding(rule)}>
                  {words.end}
                </button>
              </>
            ),
          },
        ]
      : []),
  ]
  return (
    <Card
      title={words.title}
      lead={words.lead}
      actions={
        canChange && (
          <button type="button" onClick={() => setCreating(true)}>
            {words.add}
          </button>
        )
      }
    >
      {rules.length > 0 && (
        <div className="scrolls">
          <Table
            caption={formatCount(rules.length, words.noun)}
            columns={columns}
            rows={rules}
            keyOf={({ id }) => id}
          />
        </div>
      )}
      {data && rules.length === 0 && <p className="quiet">{words.none}</p>}
      <Dialog title={words.addTitle} lead={words.addLead} isOpen={isCreating} onClose={() => setCreating(false)}>
        <RuleForm campaign={campaign} groups={groups} onDone={() => setCreating(false)} />
      </Dialog>
      <Dialog
        title={words.changeTitle(changing?.name ?? '')}
        lead={words.changeLead}
        isOpen={changing !== undefined}
        onClose={() => setChanging(undefined)}
      >
        {changing && (
          <RuleForm
            campaign={campaign}
            groups={groups}
            changed={{ rule: changing, picks }}
            onDone={() => setChanging(undefined)}
          />
        )}
      </Dialog>
      <Confirm
        title={words.endTitle(ending?.name ?? '')}
        text={words.endText}
        action={words.end}
        isOpen={ending !== undefined}
        onClose={() => setEnding(undefined)}
        onConfirm={async () => {
          const { failure } = await end({ input: { id: ending?.id ?? '' } })
          show(failure ?? words.ended(ending?.name ?? ''))
        }}
      />
    </Card>
  )
}

/** What the affiliates and groups of the conditions are called. */
function useNames(rules: readonly CampaignRuleFragment[]): { names: Names; picks: Picks } {
  const affiliateIds = [...new Set(rules.flatMap(({ conditions }) => conditions.affiliateIds ?? []))].slice(
    0,
    mostAsked,
  )
  const groupIds = [...new Set(rules.flatMap(({ conditions }) => conditions.groupIds ?? []))].slice(0, mostAsked)
  const pause = affiliateIds.length + groupIds.length === 0
  const { data } = useData(RuleNamesDocument, { affiliateIds, groupIds }, { pause })
  const affiliates = data?.affiliates.nodes ?? []
  return {
    names: new Map([
      ...affiliates.map((affiliate): [string, string] => [affiliate.id, nameOf(affiliate)]),
      ...(data?.affiliateGroups.nodes ?? []).map(({ id, name }): [string, string] => [id, name]),
    ]),
    picks: new Map(affiliates.map((affiliate) => [affiliate.id, affiliate])),
  }
}

/** As many as a page of a list has. */
const mostAsked = 100

function holdsOf({ startsAt, endsAt, appliesTo }: CampaignRuleFragment): string {
  const [from, until] = [formatDate(startsAt), endsAt && formatDate(endsAt)]
  return [words.period(from, until), ...(appliesTo === 'NEW_CUSTOMERS' ? [words.onlyNew] : [])].join(', ')
}
