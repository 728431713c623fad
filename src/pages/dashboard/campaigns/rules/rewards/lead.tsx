import { writeAmount } from '../../../../parts/amount.ts'
import { formatMoney } from '../../../../parts/format.tsx'
import { amountProblem, centsOf } from '../../../form/amount.ts'
import { TextField } from '../../../form/fields.tsx'
import { texts } from '../../../texts.ts'
import { defineReward } from './reward.ts'

const words = texts.campaigns.rules

export const lead = defineReward<{ leadAmountCents: string }>({
  empty: { leadAmountCents: '' },
  Fields: ({ form, currencies }) => (
    <TextField
      form={form}
      name="leadAmountCents"
      label={words.amountIn(currencies.reward.toUpperCase())}
      inputMode="decimal"
    />
  ),
  problems: ({ leadAmountCents }, { reward }) => ({ leadAmountCents: amountProblem(leadAmountCents, reward) }),
  input: ({ leadAmountCents }, { reward }) => ({ leadAmountCents: Number(centsOf(leadAmountCents, reward) ?? 0n) }),
  typed: ({ leadAmountCents, currency }) =>
    leadAmountCents === null ? null : { leadAmountCents: writeAmount(leadAmountCents, currency ?? '') },
  said: ({ leadAmountCents, currency }) =>
    leadAmountCents === null ? null : words.perLead(formatMoney(leadAmountCents, currency ?? '')),
})
