import { useState } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import type { OneCampaignQuery } from '../../../generated/dashboard/campaigns/graphql.ts'
import { byCurrency } from '../../../kernel/money/currency-order.ts'
import { formatAmount, formatMoney, listOfMoney } from '../../parts/format.tsx'
import { nameOf } from '../affiliate-name.tsx'
import { action } from '../api/action.ts'
import { useAction } from '../api/use-data.ts'
import { useProgram } from '../session/use-program.ts'
import { texts } from '../texts.ts'
import { Confirm } from '../ui/dialog.tsx'
import { useToast } from '../ui/toast.tsx'
import { Difference } from './simulation.tsx'
import { useSimulation } from './use-simulation.ts'
import { type CampaignValues, changesOf, currencyOf, inputOf } from './values.ts'

const { confirm: words, fields } = texts.campaigns

type Campaign = NonNullable<OneCampaignQuery['campaign']>

type Saving = {
  asked: CampaignValues | undefined
  ask(values: CampaignValues): void
  close(): void
  /** Returns what went wrong, or undefined. */
  save(): Promise<string | undefined>
}

/** Asks before the changes of a form are saved. */
export function useSaving(campaign: Campaign, before: CampaignValues, form: UseFormReturn<CampaignValues>): Saving {
  const [asked, setAsked] = useState<CampaignValues>()
  const [updateCampaign] = useAction(action('updateCampaign'))
  const show = useToast()
  const isChanged = (values: CampaignValues) => Object.keys(changesOf(before, values)).length > 0
  return {
    asked,
    ask: (values) => (isChanged(values) ? setAsked(values) : show(texts.campaigns.unchanged)),
    close: () => setAsked(undefined),
    async save() {
      if (!asked) return undefined
      const outcome = await updateCampaign({ input: { id: campaign.id, ...changesOf(before, asked) } })
      if (!outcome.data) {
        for (const [field, message] of Object.entries(outcome.problems))
          if (field in asked) form.setError(field as keyof CampaignValues, { type: 'service', message })
        return outcome.failure
      }
      show(texts.saved)
      return undefined
    },
  }
}

/** Names what changes, for whom, and what it would have cost. */
export function SaveChanges({
  asked,
  close,
  save,
  campaign,
  before,
}: Saving & { campaign: Campaign; before: CampaignValues }) {
  return (
    <Confirm
      title={words.title(campaign.name)}
      text={asked && <Changes campaign={campaign} before={before} after={asked} />}
      action={words.action}
      isDanger={false}
      isOpen={asked !== undefined}
      onClose={close}
      onConfirm={save}
    />
  )
}

type ChangesProps = { campaign: Campaign; before: CampaignValues; after: CampaignValues }

function Changes({ campaign, before, after }: ChangesProps) {
  const { affiliates } = campaign
  const { data, isChanged } = useSimulation(after, { id: campaign.id, before })
  const changed = Object.keys(changesOf(before, after)) as (keyof CampaignValues)[]
  const { program } = useProgram()
  const currencies = data?.simulateCampaign.currencies.toSorted(byCurrency(program.currency)) ?? []
  // Only the currencies in which it makes a difference.
  const different = currencies.filter(({ difference }) => difference.amountCents !== 0)
  const costs = different.length > 0 ? different : currencies.slice(0, 1)
  const left = affiliates.totalCount - affiliates.nodes.length
  return (
    <div className="form">
      <dl className="facts">
        {changed.map((field) => (
          <div key={field}>
            <dt>{fields[field]}</dt>
            <dd>
              {shown(field, before)} → <strong>{shown(field, after)}</strong>
            </dd>
          </div>
        ))}
      </dl>
      {isChanged && costs.length > 0 && (
        <p>
          {words.cost}{' '}
          {costs.map(({ currency, difference }, index) => (
            <strong key={currency}>
              {index > 0 && ', '}
              <Difference cents={difference.amountCents} currency={currency} />
            </strong>
          ))}
        </p>
      )}
      <p>
        {words.affected(affiliates.totalCount)} {affiliates.nodes.map(nameOf).join(', ')}
        {left > 0 && ` ${texts.list.each.more(left)}`}
      </p>
      <p className="quiet">{words.kept}</p>
    </div>
  )
}

/** A value as the form names it. */
function shown(field: keyof CampaignValues, values: CampaignValues): string {
  const names: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    private: fields.privates,
    rewardType: fields.rewardTypes,
    selfReferrals: fields.selfReferralPolicies,
  }
  const value = values[field]
  if (value === '') return words.none
  const { commissionPercent, commissionAmountCents, minimumPayoutCents, minimumPayouts } = inputOf(values)
  const currency = currencyOf(values)
  if (field === 'commissionPercent') return texts.campaigns.percent(commissionPercent ?? 0)
  if (field === 'commissionAmountCents') return formatMoney(commissionAmountCents ?? 0, currency)
  // The number holds in every currency.
  if (field === 'minimumPayoutCents') return formatAmount(minimumPayoutCents ?? 0, currency)
  if (field === 'minimumPayouts') return listOfMoney(minimumPayouts ?? [])
  return names[field]?.[value] ?? value
}
