import { writeAmount } from '../../../../parts/amount.ts'
import { formatMoney } from '../../../../parts/format.tsx'
import { amountProblem, centsOf } from '../../../form/amount.ts'
import { TextField } from '../../../form/fields.tsx'
import { texts } from '../../../texts.ts'
import { defineReward, type RuleReward } from './reward.ts'

/** A fixed amount, in the currency of the campaign. @param name of the field of the service, and of the form */
function fixedAmount<Name extends 'amountCents' | 'leadAmountCents'>(
  name: Name,
  say: (amount: string) => string,
): RuleReward<Record<Name, string>> {
  return defineReward<Record<string, string>>({
    empty: { [name]: '' },
    Fields: ({ form, currencies }) => (
      <TextField
        form={form}
        name={name}
        label={texts.campaigns.rules.amountIn(currencies.reward.toUpperCase())}
        inputMode="decimal"
      />
    ),
    problems: (values, { reward }) => ({ [name]: amountProblem(values[name] ?? '', reward) }),
    input(values, { reward }) {
      const cents = Number(centsOf(values[name] ?? '', reward) ?? 0n)
      return name === 'amountCents' ? { amountCents: cents } : { leadAmountCents: cents }
    },
    typed(reward) {
      const cents = reward[name]
      return cents === null ? null : { [name]: writeAmount(cents, reward.currency ?? '') }
    },
    said(reward) {
      const cents = reward[name]
      return cents === null ? null : say(formatMoney(cents, reward.currency ?? ''))
    },
  }) as unknown as RuleReward<Record<Name, string>>
}

export const amount = fixedAmount('amountCents', (amount) => amount)

export const lead = fixedAmount('leadAmountCents', (amount) => texts.campaigns.rules.perLead(amount))
