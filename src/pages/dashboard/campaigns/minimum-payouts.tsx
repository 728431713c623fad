import { X } from 'lucide-react'
import { type UseFormReturn, useWatch } from 'react-hook-form'
import { currencyOptions } from '../form/currency-options.ts'
import { texts } from '../texts.ts'
import { type CampaignValues, currencyOf, readMinimums, type TypedMinimum, writeMinimums } from './values.ts'

const words = texts.campaigns.fields

/** The currencies that have their own smallest payout: a line for each, and a button for one more. */
export function MinimumPayouts({ form }: { form: UseFormReturn<CampaignValues> }) {
  const values = useWatch({ control: form.control }) as CampaignValues
  const minimums = readMinimums(values.minimumPayouts)
  const { error } = form.getFieldState('minimumPayouts', form.formState)
  const set = (changed: readonly TypedMinimum[]) =>
    form.setValue('minimumPayouts', writeMinimums(changed), {
      shouldDirty: true,
      shouldValidate: form.formState.isSubmitted,
    })
  const taken = new Set([currencyOf(values).toUpperCase(), ...minimums.map(({ currency }) => currency)])
  const free = currencyOptions('USD').filter(({ value }) => !taken.has(value))
  const next = ['EUR', 'USD', 'GBP'].find((code) => !taken.has(code)) ?? free[0]?.value
  return (
    <fieldset className="minimums plain-fieldset" aria-invalid={error ? true : undefined}>
      {minimums.length > 0 && <legend>{words.minimumPayouts}</legend>}
      {minimums.map((minimum, index) => (
        <Line
          // biome-ignore lint/suspicious/noArrayIndexKey: a line keeps the focus while its currency changes
          key={index}
          minimum={minimum}
          free={free.map(({ value }) => value)}
          onChange={(changed) => set(minimums.with(index, changed))}
          onRemove={() => set(minimums.toSpliced(index, 1))}
        />
      ))}
      {error && <p className="error">{error.message}</p>}
      {next && (
        <button type="button" onClick={() => set([...minimums, { currency: next, amount: '' }])}>
          {words.addMinimum}
        </button>
      )}
    </fieldset>
  )
}

type LineProps = {
  minimum: TypedMinimum
  free: readonly string[]
  onChange(changed: TypedMinimum): void
  onRemove(): void
}

const Line = ({ minimum, free, onChange, onRemove }: LineProps) => (
  <div className="minimum">
    <select
      aria-label={words.minimumCurrency}
      value={minimum.currency}
      onChange={({ target }) => onChange({ ...minimum, currency: target.value })}
    >
      {currencyOptions(minimum.currency)
        .filter(({ value }) => value === minimum.currency || free.includes(value))
        .map(({ value, name }) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
    </select>
    <input
      aria-label={words.minimumOf(minimum.currency)}
      inputMode="decimal"
      autoComplete="off"
      value={minimum.amount}
      onChange={({ target }) => onChange({ ...minimum, amount: target.value })}
    />
    <button
      type="button"
      className="quiet-button"
      aria-label={words.removeMinimum(minimum.currency)}
      onClick={onRemove}
    >
      <X />
    </button>
  </div>
)
