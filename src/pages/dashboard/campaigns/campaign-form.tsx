import { type FormEventHandler, useMemo } from 'react'
import { type UseFormReturn, useWatch } from 'react-hook-form'
import type { CampaignRowFragment } from '../../../generated/dashboard/campaigns/graphql.ts'
import { currencyOptions } from '../form/currency-options.ts'
import { FormFailure, SelectField, TextField } from '../form/fields.tsx'
import { AskToLeave } from '../form/leave.tsx'
import { useProgram } from '../session/use-program.ts'
import { texts } from '../texts.ts'
import { Card } from '../ui/card.tsx'
import { MinimumPayouts } from './minimum-payouts.tsx'
import { Simulation } from './simulation.tsx'
import { type CampaignValues, valuesOf } from './values.ts'

const { fields: words, parts } = texts.campaigns

const optionsOf = (names: Readonly<Record<string, string>>) =>
  Object.entries(names).map(([value, name]) => ({ value, name }))

type FormProps = {
  form: UseFormReturn<CampaignValues>
  onSubmit: FormEventHandler
  /** The words of the button. */
  action: string
  /** The campaign that is changed. Without it, the form is of a new one. */
  campaign?: CampaignRowFragment
}

/** The rules of a campaign, next to what they would have cost. Read-only without the right to change them. */
export function CampaignForm({ form, onSubmit, action, campaign }: FormProps) {
  const { canChange } = useProgram()
  const values = useWatch({ control: form.control }) as CampaignValues
  const before = useMemo(() => campaign && valuesOf(campaign), [campaign])
  return (
    <div className="editor">
      <AskToLeave form={form} />
      <form onSubmit={onSubmit} noValidate>
        <fieldset className="plain-fieldset" disabled={!canChange}>
          <Card title={parts.campaign}>
            <TextField form={form} name="name" label={words.name} />
            <TextField form={form} name="url" type="url" label={words.url} hint={words.urlHint} />
            <SelectField form={form} name="private" label={words.private} options={optionsOf(words.privates)} />
          </Card>
          <Reward form={form} values={values} />
          <Limits form={form} />
          <Payouts form={form} />
        </fieldset>
        <FormFailure form={form} />
        {canChange && (
          <div>
            <button type="submit" className="primary" disabled={form.formState.isSubmitting}>
              {action}
            </button>
          </div>
        )}
      </form>
      <Simulation values={values} {...(campaign && before && { of: { id: campaign.id, before } })} />
    </div>
  )
}

type PartProps = { form: UseFormReturn<CampaignValues> }

const Reward = ({ form, values }: PartProps & { values: CampaignValues }) => (
  <Card title={parts.reward} lead={parts.rewardLead}>
    <SelectField form={form} name="rewardType" label={words.rewardType} options={optionsOf(words.rewardTypes)} />
    {values.rewardType === 'PERCENT' ? (
      <TextField
        form={form}
        name="commissionPercent"
        label={words.commissionPercent}
        hint={words.commissionPercentHint}
        inputMode="decimal"
      />
    ) : (
      <div className="field-pair">
        <TextField form={form} name="commissionAmountCents" label={words.commissionAmountCents} inputMode="decimal" />
        <SelectField
          form={form}
          name="commissionCurrency"
          label={words.commissionCurrency}
          options={currencyOptions(values.commissionCurrency)}
        />
      </div>
    )}
  </Card>
)

const Limits = ({ form }: PartProps) => (
  <Card title={parts.limits}>
    <div className="field-pair">
      <TextField
        form={form}
        name="maxCommissionPeriodInMonths"
        label={words.maxCommissionPeriodInMonths}
        hint={words.unlimitedHint}
        inputMode="numeric"
      />
      <TextField
        form={form}
        name="maxCommissions"
        label={words.maxCommissions}
        hint={words.unlimitedHint}
        inputMode="numeric"
      />
    </div>
    <TextField
      form={form}
      name="daysBeforeReferralsExpire"
      label={words.daysBeforeReferralsExpire}
      hint={words.daysBeforeReferralsExpireHint}
      inputMode="numeric"
    />
  </Card>
)

const Payouts = ({ form }: PartProps) => (
  <Card title={parts.payouts}>
    <div className="field-pair">
      <TextField
        form={form}
        name="daysBeforeCommissionsAreDue"
        label={words.daysBeforeCommissionsAreDue}
        hint={words.daysBeforeCommissionsAreDueHint}
        inputMode="numeric"
      />
      <TextField
        form={form}
        name="minimumPayoutCents"
        label={words.minimumPayoutCents}
        hint={words.minimumPayoutCentsHint}
        inputMode="decimal"
      />
    </div>
    <MinimumPayouts form={form} />
    <SelectField
      form={form}
      name="selfReferrals"
      label={words.selfReferrals}
      hint={words.selfReferralsHint}
      options={optionsOf(words.selfReferralPolicies)}
    />
  </Card>
)
