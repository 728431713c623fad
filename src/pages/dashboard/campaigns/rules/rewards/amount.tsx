import { writeAmount } from '../../../../parts/amount.ts'
import { formatMoney } from '../../../../parts/format.tsx'
import { amountProblem, centsOf } from '../../../form/amount.ts'
import { TextField } from '../../../form/fields.tsx'
import { texts } from '../../../texts.ts'
import { defineReward } from './reward.ts'

const words = texts.campaigns.rules

export const amount = defineReward<{ amountCents: string }>({
  empty: { amountCents: '' },
  Fields: ({ form, currencies }) => (
    <TextField
      form={form}
      name="amountCents"
      label={words.amountIn(currencies.reward.toUpperCase())}
      inputMode="decimal"
    />
  ),
  problems: ({ amountCents }, { reward }) => ({ amountCents: amountProblem(amountCents, reward) }),
  input: ({ amountCents }, { reward }) => ({ amountCents: Number(centsOf(amountCents, reward) ?? 0n) }),
  typed: ({ amountCents, currency }) =>
    amountCents === null ? null : { amountCents: writeAmount(amountCents, currency ?? '') },
  said: ({ amountCents, currency }) => (amountCents === null ? null : formatMoney(amountCents, currency ?? '')),
})
