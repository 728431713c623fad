import { type ShadowMonthRowFragment, ShadowReportDocument } from '../../../generated/dashboard/shadow/graphql.ts'
import { FailureNotice } from '../../parts/failure-notice.tsx'
import { formatMoney } from '../../parts/format.tsx'
import { formatDate } from '../../parts/locale.ts'
import { type Column, Table } from '../../parts/table.tsx'
import { useData } from '../api/use-data.ts'
import { texts } from '../texts.ts'
import { Badge } from '../ui/badge.tsx'
import { Card } from '../ui/card.tsx'
import { Empty } from '../ui/empty.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { Differences } from './differences.tsx'
import { someOf, useMore } from './more.tsx'

const words = texts.shadow

const columns: Column<ShadowMonthRowFragment>[] = [
  { name: texts.money.affiliate, cell: ({ affiliateEmail }) => affiliateEmail },
  {
    name: words.month,
    cell: ({ month }) => formatDate(`${month}-01T12:00:00Z`, { month: 'long', year: 'numeric', timeZone: 'UTC' }),
  },
  { name: words.ours, isNumber: true, cell: ({ oursCents, currency }) => formatMoney(oursCents, currency) },
  { name: words.theirs, isNumber: true, cell: ({ theirsCents, currency }) => formatMoney(theirsCents, currency) },
  { name: words.agreement, isPlain: true, cell: (month) => <Agreement month={month} /> },
]

const Agreement = ({ month: { oursCents, theirsCents, open } }: { month: ShadowMonthRowFragment }) => {
  if (open > 0) return <Badge tone="bad">{words.open(open)}</Badge>
  return oursCents === theirsCents ? (
    <Badge tone="good">{words.agrees}</Badge>
  ) : (
    <Badge tone="plain">{words.explained}</Badge>
  )
}

/** What both sides computed, by affiliate and month, and each sale about which they differ. */
export function Report() {
  const { data, failure, retry } = useData(ShadowReportDocument, {})
  const months = useMore(data?.shadowReport.months ?? [])
  if (!data) return failure ? <FailureNotice message={failure} onRetry={retry} /> : <Skeleton />
  const { agreeing, differing, accepted, differences, acceptedDifferences } = data.shadowReport
  return (
    <>
      {failure && <FailureNotice message={failure} onRetry={retry} />}
      <Card title={words.summary} lead={words.lead}>
        <p role="status">{words.counts(agreeing, differing, accepted)}</p>
      </Card>
      <Differences title={words.differences} lead={words.differencesLead} rows={differences} count={differing} />
      {accepted > 0 && <Differences title={words.accepted} rows={acceptedDifferences} count={accepted} />}
      <Card title={words.months} lead={words.monthsLead}>
        {months.all.length === 0 ? (
          <Empty title={words.noMonths} text={words.noMonthsText} />
        ) : (
          <Table
            caption={someOf(months.shown.length, months.all.length)}
            columns={columns}
            rows={months.shown}
            keyOf={({ affiliateId, month, currency }) => `${affiliateId} ${month} ${currency}`}
          />
        )}
        {months.button}
      </Card>
    </>
  )
}
