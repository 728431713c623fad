import { TimeToSaleDocument, type TimeToSaleQuery } from '../../../generated/dashboard/analytics/graphql.ts'
import { formatNumber } from '../../parts/locale.ts'
import { type Column, Table } from '../../parts/table.tsx'
import { texts } from '../texts.ts'
import { ChoiceOfSubjects } from './choice-of-subjects.tsx'
import { formatDuration } from './metrics.ts'
import type { ReportsProps } from './props.ts'
import { Report } from './report.tsx'
import { inAddress, timed } from './report-settings.ts'
import { SubjectLink } from './subject-link.tsx'

const words = texts.analytics.timeToSale

type Time = TimeToSaleQuery['analytics']['timeToSale'][number]

/** How long it took from the visit to the first sale: of all, or by affiliate, campaign or link. */
export function TimeToSale({ asked: { time: by }, about: { range, timeZone }, choose }: ReportsProps) {
  const columns: Column<Time>[] = [
    {
      name: texts.analytics.name,
      cell: (time) => (time.subjectId === null ? texts.analytics.all : <SubjectLink of={by} subject={time} />),
    },
    { name: words.conversions, cell: ({ conversions }) => formatNumber(conversions), isNumber: true },
    { name: words.quarter, cell: ({ lowerQuartileSeconds }) => formatDuration(lowerQuartileSeconds), isNumber: true },
    { name: words.half, cell: ({ medianSeconds }) => formatDuration(medianSeconds), isNumber: true },
    {
      name: words.threeQuarters,
      cell: ({ upperQuartileSeconds }) => formatDuration(upperQuartileSeconds),
      isNumber: true,
    },
  ]
  return (
    <Report
      title={words.title}
      lead={words.lead}
      document={TimeToSaleDocument}
      variables={{ range, timeZone, by: by === 'ALL' ? null : by }}
      view="table"
      isEmpty={({ analytics }) => analytics.timeToSale.every(({ conversions }) => conversions === 0)}
      empty={{ title: words.none, text: words.noneText }}
      actions={<ChoiceOfSubjects value={by} values={timed} onChange={(time) => choose({ time: inAddress(time) })} />}
    >
      {({ analytics: { timeToSale } }) => (
        <Table
          caption={words.title}
          columns={columns}
          rows={timeToSale}
          keyOf={({ subjectId }) => subjectId ?? 'all'}
        />
      )}
    </Report>
  )
}
