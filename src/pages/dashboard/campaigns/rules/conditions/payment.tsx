import type { CustomerPayment } from '../../../../../generated/dashboard/campaigns/graphql.ts'
import { SelectField } from '../../../form/fields.tsx'
import { texts } from '../../../texts.ts'
import { defineCondition, optionsOf } from './condition.ts'

const words = texts.campaigns.rules

export const payment = defineCondition<{ payment: '' | CustomerPayment }>({
  none: { payment: '' },
  Fields: ({ form }) => (
    <SelectField form={form} name="payment" label={words.payment} options={optionsOf(words.payments, words.any)} />
  ),
  input: (values) => (values.payment ? { payment: values.payment } : {}),
  typed: (stored) => ({ payment: stored.payment ?? '' }),
  said: (stored) => stored.payment && words.payments[stored.payment],
})
