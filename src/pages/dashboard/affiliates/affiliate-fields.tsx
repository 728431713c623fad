import type { UseFormReturn } from 'react-hook-form'
import type { AffiliateState, PayoutMethod, RecipientType } from '../../../generated/dashboard/affiliates/graphql.ts'
import { states } from '../affiliate-name.tsx'
import { type Option, SelectField, TextField } from '../form/fields.tsx'
import { texts } from '../texts.ts'

const words = texts.affiliates.fields

/** What a form of an affiliate has. Fields without a value are empty texts. */
export type AffiliateFields = {
  email: string
  firstName: string
  lastName: string
  campaignId: string
  state: AffiliateState
  paypalEmail: string
  wiseEmail: string
  preferredPayoutMethod: PayoutMethod | ''
  recipientType: RecipientType | ''
  iban: string
  bic: string
  billingCustomerId: string
}

const { fields: shared } = texts.settings.history

const stateOptions = states.map((value) => ({ value, name: texts.affiliates.states[value] }))
const methodOptions = [
  { value: '', name: words.methodWithAddress },
  ...Object.entries(texts.payoutRuns.methods).map(([value, name]) => ({ value, name })),
]
const recipientOptions = [
  { value: '', name: words.unknownRecipient },
  ...Object.entries(words.recipientTypes).map(([value, name]) => ({ value, name })),
]

type InputsProps<Values extends AffiliateFields> = { form: UseFormReturn<Values>; campaigns: readonly Option[] }

export function AffiliateInputs<Values extends AffiliateFields>({ form, campaigns }: InputsProps<Values>) {
  // The form may have more fields than these.
  const plain = form as unknown as UseFormReturn<AffiliateFields>
  return (
    <>
      <TextField form={plain} name="email" type="email" label={texts.fields.email} />
      <div className="field-pair">
        <TextField form={plain} name="firstName" label={words.firstName} />
        <TextField form={plain} name="lastName" label={words.lastName} />
      </div>
      <SelectField
        form={plain}
        name="campaignId"
        label={words.campaign}
        hint={words.campaignHint}
        options={campaigns}
      />
      <SelectField form={plain} name="state" label={words.state} hint={words.stateHint} options={stateOptions} />
      <div className="field-pair">
        <TextField form={plain} name="paypalEmail" type="email" label={words.paypalEmail} />
        <TextField form={plain} name="wiseEmail" type="email" label={words.wiseEmail} />
      </div>
      <div className="field-pair">
        <TextField form={plain} name="iban" label={shared.iban} />
        <TextField form={plain} name="bic" label={shared.bic} hint={words.bicHint} />
      </div>
      <div className="field-pair">
        <SelectField
          form={plain}
          name="preferredPayoutMethod"
          label={shared.preferredPayoutMethod}
          options={methodOptions}
        />
        <SelectField
          form={plain}
          name="recipientType"
          label={shared.recipientType}
          hint={words.recipientTypeHint}
          options={recipientOptions}
        />
      </div>
      <TextField
        form={plain}
        name="billingCustomerId"
        label={words.billingCustomerId}
        hint={words.billingCustomerIdHint}
      />
    </>
  )
}
