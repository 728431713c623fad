import { CurrenciesDocument } from '../../../generated/dashboard/analytics/graphql.ts'
import { currenciesInOrder } from '../../../kernel/money/currency-order.ts'
import { useData } from '../api/use-data.ts'
import type { ListState } from '../list/use-list-state.ts'
import { useProgram } from '../session/use-program.ts'
import { texts } from '../texts.ts'
import { Choice } from '../ui/choice.tsx'
import { type Asked, comparisons, inAddress, presets, rangeOf } from './report-settings.ts'

const words = texts.analytics

type ScopeProps = { asked: Asked; state: ListState; timeZone: string }

/** What all reports are about: the range, what it is compared with, and the currency. */
export function Scope({ asked, state: { filter }, timeZone }: ScopeProps) {
  const { range, from, to, compare, currency } = asked
  const currencies = useCurrencies(asked, timeZone)
  const day = (name: 'from' | 'to', value: string) => (
    <label className="filter">
      <span>{words[name]}</span>
      <input type="date" value={value} onChange={({ target }) => filter({ [name]: target.value || undefined })} />
    </label>
  )
  return (
    <search className="filters" aria-label={words.scope}>
      <Choice
        label={words.range}
        value={range}
        options={[...presets, 'CUSTOM' as const].map((value) => ({ value, name: words.ranges[value] }))}
        onChange={(value) => filter({ range: inAddress(value), interval: undefined, from: undefined, to: undefined })}
      />
      {range === 'CUSTOM' && (
        <>
          {day('from', from)}
          {day('to', to)}
        </>
      )}
      <Choice
        label={words.compare}
        value={compare}
        options={comparisons.map((value) => ({ value, name: words.comparisons[value] }))}
        onChange={(value) => filter({ compare: inAddress(value) })}
      />
      {currencies.length > 1 && (
        <Choice
          label={words.currency}
          value={currency}
          options={currencies.map((value) => ({ value, name: value.toUpperCase() }))}
          onChange={(value) => filter({ currency: value })}
        />
      )}
    </search>
  )
}

/** The currencies to choose from: the program's, that of the address, and those of sales in the range. */
function useCurrencies(asked: Asked, timeZone: string): string[] {
  const { program } = useProgram()
  const { data } = useData(CurrenciesDocument, { range: rangeOf(asked), timeZone })
  const sold = data?.analytics.top.map(({ label }) => label.toLowerCase()) ?? []
  return currenciesInOrder([program.currency, asked.currency, ...sold], program.currency)
}
