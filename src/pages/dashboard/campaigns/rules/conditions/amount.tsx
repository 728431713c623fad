import { writeAmount } from '../../../../parts/amount.ts'
import { formatMoney } from '../../../../parts/format.tsx'
import { amountProblem, centsOf } from '../../../form/amount.ts'
import { TextField } from '../../../form/fields.tsx'
import { texts } from '../../../texts.ts'
import { defineCondition } from './condition.ts'

const words = texts.campaigns.rules

const problemOf = (typed: string, currency: string) => (typed === '' ? undefined : amountProblem(typed, currency))

export const amount = defineCondition<{ minimumAmountCents: string; maximumAmountCents: string }>({
  none: { minimumAmountCents: '', maximumAmountCents: '' },
  Fields: ({ form, currency }) => (
    <>
      <TextField
        form={form}
        name="minimumAmountCents"
        label={words.minimum(currency.toUpperCase())}
        inputMode="decimal"
      />
      <TextField
        form={form}
        name="maximumAmountCents"
        label={words.maximum(currency.toUpperCase())}
        inputMode="decimal"
      />
    </>
  ),
  problems: ({ minimumAmountCents: least, maximumAmountCents: most }, currency) => ({
    minimumAmountCents: problemOf(least, currency),
    maximumAmountCents: problemOf(most, currency),
  }),
  input: ({ minimumAmountCents: least, maximumAmountCents: most }, currency) => ({
    ...(least !== '' && { minimumAmountCents: Number(centsOf(least, currency) ?? 0n) }),
    ...(most !== '' && { maximumAmountCents: Number(centsOf(most, currency) ?? 0n) }),
  }),
  typed: ({ minimumAmountCents: least, maximumAmountCents: most, currency }) => ({
    minimumAmountCents: least === null ? '' : writeAmount(least, currency ?? ''),
    maximumAmountCents: most === null ? '' : writeAmount(most, currency ?? ''),
  }),
  said({ minimumAmountCents: least, maximumAmountCents: most, currency }) {
    const parts = [
      least !== null && words.from(formatMoney(least, currency ?? '')),
      most !== null && words.upTo(formatMoney(most, currency ?? '')),
      least === null && most === null && currency && words.inCurrency(currency.toUpperCase()),
    ].filter(Boolean)
    return parts.length > 0 ? parts.join('; ') : null
  },
})
