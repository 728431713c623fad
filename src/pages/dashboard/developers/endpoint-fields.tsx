import type { UseFormReturn } from 'react-hook-form'
import { useCampaigns } from '../affiliates/use-campaigns.ts'
import { currencyOptions } from '../form/currency-options.ts'
import { SelectField, TextField } from '../form/fields.tsx'
import { AffiliatePicker } from '../picker/affiliate-picker.tsx'
import { useProgram } from '../session/use-program.ts'
import { texts } from '../texts.ts'
import type { EndpointFields } from './endpoint-values.ts'
import { EventTypesField } from './event-types-field.tsx'

const words = texts.developers.webhooks

/** What can also be changed later. */
export function EndpointInputs<Values extends EndpointFields>({ form }: { form: UseFormReturn<Values> }) {
  // The form may have more fields than these.
  const plain = form as unknown as UseFormReturn<EndpointFields>
  return (
    <>
      <TextField
        form={plain}
        name="url"
        label={words.url}
        type="url"
        placeholder="acme.com/webhooks"
        hint={words.urlHint}
      />
      <TextField form={plain} name="description" label={words.description} hint={words.descriptionHint} />
      <EventTypesField form={plain} />
      <ConditionFields form={plain} />
    </>
  )
}

const keeping = (['yes', 'no'] as const).map((value) => ({ value, name: words.keeps[value] }))

/** Which of these events are sent: those of a campaign, of an affiliate, and from an amount on. */
function ConditionFields({ form }: { form: UseFormReturn<EndpointFields> }) {
  const { program } = useProgram()
  const { all } = useCampaigns()
  const [keeps, affiliate] = form.watch(['keepsCondition', 'affiliate'])
  const isForeign = form.formState.defaultValues?.keepsCondition === 'yes'
  return (
    <fieldset className="plain-fieldset form-part">
      <legend>{words.condition}</legend>
      <p className="hint">{words.conditionHint}</p>
      {isForeign && <SelectField form={form} name="keepsCondition" label={words.keepsLabel} options={keeping} />}
      {keeps === 'no' && (
        <>
          <SelectField
            form={form}
            name="campaignId"
            label={texts.money.campaign}
            options={[{ value: '', name: words.anyCampaign }, ...all]}
          />
          <AffiliatePicker
            label={texts.money.affiliate}
            chosen={affiliate ?? undefined}
            onChoose={(chosen) => form.setValue('affiliate', chosen ?? null, { shouldDirty: true })}
            nobody={words.anyAffiliate}
          />
          <div className="field-pair">
            <TextField form={form} name="least" label={words.least} hint={words.leastHint} inputMode="decimal" />
            <SelectField
              form={form}
              name="currency"
              label={texts.money.currency}
              options={currencyOptions(program.currency)}
            />
          </div>
        </>
      )}
    </fieldset>
  )
}
