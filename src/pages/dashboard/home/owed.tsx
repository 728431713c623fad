import { OwedDocument, type OwedQuery } from '../../../generated/dashboard/home/graphql.ts'
import { FailureNotice } from '../../parts/failure-notice.tsx'
import { formatMoney } from '../../parts/format.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { useData } from '../api/use-data.ts'
import { timeZone } from '../figures/ranges.ts'
import { texts } from '../texts.ts'
import { Card } from '../ui/card.tsx'

const words = texts.home.owed

type Liability = OwedQuery['analytics']['liability'][number]

const rateText = ({ currency, owed: { converted } }: Liability, reading: string) => {
  if (!converted) return words.noRate
  const { rate, day, source } = converted
  return rate && day && source ? words.rate(currency, rate, reading, day, words.sources[source]) : words.same
}

const columnsIn = (reading: string): Column<Liability>[] => [
  { name: texts.money.currency, cell: ({ currency }) => currency.toUpperCase() },
  { name: words.owed, isNumber: true, cell: ({ currency, owed }) => formatMoney(owed.amountCents, currency) },
  {
    name: words.converted(reading),
    isNumber: true,
    cell: ({ owed: { converted } }) => (converted ? writtenIn(reading, converted) : '–'),
  },
  { name: words.by, cell: (row) => rateText(row, reading) },
]

const writtenIn = (reading: string, { amountCents, isConverted }: { amountCents: number; isConverted: boolean }) =>
  `${isConverted ? '≈ ' : ''}${formatMoney(amountCents, reading)}`

/** What is owed in all currencies, also in the one that the program reads totals in. Each converted number says so. */
export function Owed() {
  const { data, failure, retry } = useData(OwedDocument, { timeZone })
  const reading = data?.program.readingCurrency
  const rows = data?.analytics.liability ?? []
  if (failure) return <FailureNotice message={failure} onRetry={retry} />
  if (!reading || rows.length === 0) return null
  const converted = rows.flatMap(({ owed }) => owed.converted ?? [])
  const missing = rows.filter(({ owed }) => !owed.converted).map(({ currency }) => currency.toUpperCase())
  const total = converted.reduce((sum, { amountCents }) => sum + amountCents, 0)
  const isConverted = converted.some((one) => one.isConverted)
  return (
    <Card title={words.title} lead={isConverted ? words.lead : undefined}>
      <p>
        <strong>{writtenIn(reading, { amountCents: total, isConverted })}</strong>{' '}
        {missing.length > 0 && words.without(missing.join(', '))}
      </p>
      <Table caption={words.title} columns={columnsIn(reading)} rows={rows} keyOf={({ currency }) => currency} />
    </Card>
  )
}
