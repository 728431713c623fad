import { MoversDocument, type MoversQuery } from '../../../generated/dashboard/analytics/graphql.ts'
import { type Column, Table } from '../../parts/table.tsx'
import { texts } from '../texts.ts'
import { baseOf, formatChange, formatsOf, wholeOf } from './metrics.ts'
import type { ReportsProps } from './props.ts'
import { Report } from './report.tsx'
import { SubjectLink } from './subject-link.tsx'

const words = texts.analytics.movers

type Mover = MoversQuery['analytics']['movers'][number]

/** What rose or fell most in the metric, also what fell to nothing. A rate of few is chance, so it has no movers. */
export function Movers({ asked, about }: ReportsProps) {
  const { interval, top, compare } = asked
  const metric = baseOf(asked.metric) ? 'SALES_AMOUNT' : asked.metric
  const compareTo = compare === 'NONE' ? 'PREVIOUS_PERIOD' : compare
  const { format } = formatsOf(metric, about.currency)
  const amount = (value: number | null, money: Mover['money']) => format(wholeOf(metric, { value, money }))
  const columns: Column<Mover>[] = [
    { name: texts.analytics.name, cell: (mover) => <SubjectLink of={top} subject={mover} /> },
    { name: words.now, cell: ({ value, money }) => amount(value, money), isNumber: true },
    {
      name: words.before,
      cell: ({ comparison, comparisonMoney }) => amount(comparison, comparisonMoney),
      isNumber: true,
    },
    { name: words.change, cell: ({ change, changeMoney }) => amount(change, changeMoney), isNumber: true },
    { name: words.rate, cell: ({ changeRate }) => formatChange(changeRate), isNumber: true },
  ]
  return (
    <Report
      title={words.title(texts.analytics.dimensions[top])}
      lead={words.lead(texts.analytics.metrics[metric], texts.analytics.comparisons[compareTo])}
      document={MoversDocument}
      variables={{ ...about, metric, dimension: top, compareTo, interval }}
      view="table"
      isEmpty={({ analytics }) => analytics.movers.length === 0}
      empty={{ title: words.none, text: words.noneText }}
    >
      {({ analytics: { movers } }) => (
        <Table
          caption={words.title(texts.analytics.dimensions[top])}
          columns={columns}
          rows={movers}
          keyOf={({ subjectId, label }) => subjectId ?? label}
        />
      )}
    </Report>
  )
}
