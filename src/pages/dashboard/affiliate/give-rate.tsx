import { type UseFormReturn, useWatch } from 'react-hook-form'
import type { WholeAffiliateFragment } from '../../../generated/dashboard/affiliate/graphql.ts'
import { nameOf } from '../affiliate-name.tsx'
import { action } from '../api/action.ts'
import { useAction } from '../api/use-data.ts'
import { AboveAll } from '../campaigns/rules/above-all.tsx'
import { RuleCost } from '../campaigns/rules/cost.tsx'
import { Days } from '../campaigns/rules/days.tsx'
import { type RewardValues, rewards } from '../campaigns/rules/rewards/all.ts'
import { checkRuleValues, isAboveAll, newRule, type RuleValues, ruleInputOf } from '../campaigns/rules/values.ts'
import { DialogForm } from '../form/dialog-form.tsx'
import { SelectField, TextField } from '../form/fields.tsx'
import { showRejection, useFields } from '../form/use-fields.ts'
import { useProgram } from '../session/use-program.ts'
import { texts } from '../texts.ts'
import { useToast } from '../ui/toast.tsx'

const words = texts.affiliates.one.rate
const rules = texts.campaigns.rules

/** Gives an affiliate another rate: a rule of their campaign for them alone, from a day until another. */
export function GiveRate({ affiliate, onDone }: { affiliate: WholeAffiliateFragment; onDone(): void }) {
  const { program } = useProgram()
  const show = useToast()
  const [create] = useAction(action('createCommissionRule'))
  const { campaign } = affiliate
  const currencies = { reward: campaign.commissionCurrency, sale: program.currency }
  const name = words.ruleName(nameOf(affiliate))
  const before: RuleValues = { ...newRule, name, affiliates: [affiliate], appliesTo: 'ALL_SALES' }
  const check = checkRuleValues(currencies)
  const form = useFields<RuleValues>(before, check)
  const values = useWatch({ control: form.control }) as RuleValues
  const submit = form.handleSubmit(async (given) => {
    const outcome = await create({ input: ruleInputOf(campaign.id, currencies, given) })
    if (!outcome.data) return showRejection(form, outcome)
    show(words.given(nameOf(affiliate)))
    onDone()
  })
  const Reward = rewards[values.kind]
  const isReady = Object.keys(check(values)).length === 0
  return (
    <DialogForm
      form={form}
      onSubmit={submit}
      action={words.giveAction}
      note={isReady ? <RuleCost rule={ruleInputOf(campaign.id, currencies, values)} /> : rules.costLater}
    >
      <div className="field-pair">
        <Reward.Fields form={form as unknown as UseFormReturn<RewardValues>} currencies={currencies} />
        <SelectField
          form={form}
          name="kind"
          label={rules.reward}
          options={[
            { value: 'percent', name: rules.kinds.percent },
            { value: 'amount', name: rules.kinds.amount },
          ]}
        />
      </div>
      {isAboveAll(values) && <AboveAll form={form} />}
      <Days form={form} />
      <TextField form={form} name="name" label={texts.fields.name} hint={rules.nameHint} />
    </DialogForm>
  )
}
