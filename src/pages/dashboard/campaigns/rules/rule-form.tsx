import { type UseFormReturn, useWatch } from 'react-hook-form'
import type {
  CampaignRuleFragment,
  CreateCommissionRuleInput,
} from '../../../../generated/dashboard/campaigns/graphql.ts'
import { action } from '../../api/action.ts'
import { useAction } from '../../api/use-data.ts'
import { DialogForm } from '../../form/dialog-form.tsx'
import { SelectField, TextField } from '../../form/fields.tsx'
import { showRejection, useFields } from '../../form/use-fields.ts'
import { useProgram } from '../../session/use-program.ts'
import { texts } from '../../texts.ts'
import { useToast } from '../../ui/toast.tsx'
import { AboveAll } from './above-all.tsx'
import { type ConditionValues, conditions } from './conditions/all.ts'
import { type Around, optionsOf, type Picks } from './conditions/condition.ts'
import { RuleCost } from './cost.tsx'
import { Days } from './days.tsx'
import { type RewardValues, rewards } from './rewards/all.ts'
import { checkRuleValues, isAboveAll, newRule, paidIn, type RuleValues, ruleInputOf, typedRule } from './values.ts'

const words = texts.campaigns.rules

type Props = {
  campaign: { id: string; commissionCurrency: string }
  groups: Around['groups']
  /** The rule that is changed, and the affiliates whom it names. */
  changed?: { rule: CampaignRuleFragment; picks: Picks } | undefined
  onDone(): void
}

/** A new rule, or a change of one, and what it would have cost. */
export function RuleForm({ campaign, groups, changed, onDone }: Props) {
  const { program } = useProgram()
  const show = useToast()
  const [create] = useAction(action('createCommissionRule'))
  const [update] = useAction(action('updateCommissionRule'))
  const currencies = { reward: campaign.commissionCurrency, sale: program.currency }
  const check = checkRuleValues(currencies)
  const form = useFields<RuleValues>(changed ? typedRule(changed.rule, currencies, changed.picks) : newRule, check)
  const values = useWatch({ control: form.control }) as RuleValues
  const submit = form.handleSubmit(async (given) => {
    const input = ruleInputOf(campaign.id, currencies, given)
    const outcome = changed ? await update({ input: changeOf(changed.rule, input) }) : await create({ input })
    if (!outcome.data) return showRejection(form, outcome)
    show(changed ? words.changed(given.name) : words.created(given.name))
    onDone()
  })
  const capCurrency = paidIn(values, currencies).toUpperCase()
  // The form has more fields than those of the conditions, and than those of the reward.
  const asConditions = form as unknown as UseFormReturn<ConditionValues>
  const asRewards = form as unknown as UseFormReturn<RewardValues>
  const Reward = rewards[values.kind]
  // A plan knows a rule by its name. What the form does not show stays as it is.
  const planned = { ...ruleInputOf(campaign.id, currencies, values), ...(changed && keptOf(changed.rule)) }
  const isReady = Object.keys(check(values)).length === 0
  return (
    <DialogForm
      form={form}
      onSubmit={submit}
      action={changed ? words.change : words.add}
      note={isReady ? <RuleCost rule={planned} /> : words.costLater}
    >
      <TextField form={form} name="name" label={texts.fields.name} hint={words.nameHint} />
      <div className="field-pair">
        <SelectField form={form} name="kind" label={words.reward} options={optionsOf(words.kinds)} />
        <Reward.Fields form={asRewards} currencies={currencies} />
      </div>
      {isAboveAll(values) && <AboveAll form={form} />}
      <SelectField
        form={form}
        name="appliesTo"
        label={words.appliesTo}
        options={optionsOf(words.customers, words.choose)}
      />
      {conditions.map(({ name, isOfAffiliate, Fields }) =>
        isOfAffiliate ? <Fields key={name} form={asConditions} groups={groups} currency={currencies.sale} /> : null,
      )}
      <Days form={form} hasStart={!changed} />
      {values.kind !== 'lead' && (
        <>
          <div className="field-pair">
            {conditions.map(({ name, isOfAffiliate, Fields }) =>
              isOfAffiliate ? null : (
                <Fields key={name} form={asConditions} groups={groups} currency={currencies.sale} />
              ),
            )}
          </div>
          <div className="field-pair">
            <TextField form={form} name="perSale" label={words.perSale(capCurrency)} inputMode="decimal" />
            <TextField form={form} name="perMonth" label={words.perMonth(capCurrency)} inputMode="decimal" />
            <TextField form={form} name="perYear" label={words.perYear(capCurrency)} inputMode="decimal" />
          </div>
        </>
      )}
    </DialogForm>
  )
}

const keptOf = ({
  name,
  maxCommissions,
  maxCommissionPeriodInMonths,
  daysBeforeCommissionsAreDue,
}: CampaignRuleFragment) => ({
  name,
  maxCommissions,
  maxCommissionPeriodInMonths,
  daysBeforeCommissionsAreDue,
})

/** The start of a rule does not change. A cap or an end that was emptied is removed. */
function changeOf({ id }: CampaignRuleFragment, input: CreateCommissionRuleInput) {
  const { campaignId: _campaign, startsAt: _start, cap = null, endsAt = null, ...rest } = input
  return { ...rest, id, cap, endsAt }
}
