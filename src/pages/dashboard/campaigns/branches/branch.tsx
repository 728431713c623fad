import { Link, useParams } from '@tanstack/react-router'
import { OneBranchDocument, type OneBranchQuery } from '../../../../generated/dashboard/campaigns/branches/graphql.ts'
import { FailureNotice } from '../../../parts/failure-notice.tsx'
import { formatCount, formatMoney } from '../../../parts/format.tsx'
import { formatNumber } from '../../../parts/locale.ts'
import { type Column, Table } from '../../../parts/table.tsx'
import { AffiliateLink } from '../../affiliate-name.tsx'
import { useData } from '../../api/use-data.ts'
import { useProgram } from '../../session/use-program.ts'
import { useMore } from '../../shadow/more.tsx'
import { texts } from '../../texts.ts'
import { Card } from '../../ui/card.tsx'
import { Empty } from '../../ui/empty.tsx'
import { formatMoment } from '../../ui/moment.tsx'
import { Page } from '../../ui/page.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Decide } from './decide.tsx'
import { BranchState } from './page.tsx'

const words = texts.branches

type Shown = NonNullable<OneBranchQuery['branch']>
type Row = Shown['differences'][number]

const columns: Column<Row>[] = [
  { name: texts.money.affiliate, cell: ({ affiliate }) => <AffiliateLink affiliate={affiliate} /> },
  { name: words.month, cell: ({ month }) => month },
  { name: words.before, isNumber: true, cell: ({ beforeCents, currency }) => formatMoney(beforeCents, currency) },
  { name: words.after, isNumber: true, cell: ({ afterCents, currency }) => formatMoney(afterCents, currency) },
  {
    name: words.difference,
    isNumber: true,
    cell: ({ differenceCents, currency }) => formatMoney(differenceCents, currency, { signDisplay: 'exceptZero' }),
  },
]

/** What a branch would change, and the decision about it. */
export function Branch() {
  const { program } = useProgram()
  const { id } = useParams({ strict: false }) as { id: string }
  const { data, failure, retry } = useData(OneBranchDocument, { id })
  const branch = data?.branch
  return (
    <Page
      title={branch?.name ?? words.title}
      lead={
        <Link to="/$program/campaigns/branches" params={{ program: program.slug }}>
          {words.title}
        </Link>
      }
      actions={branch && <Decide branch={branch} />}
    >
      {failure && <FailureNotice message={failure} onRetry={retry} />}
      {!data && !failure && <Skeleton />}
      {data && !branch && <Empty title={words.unknown} text={words.unknownText} />}
      {branch && <Facts branch={branch} />}
      {branch && <Differences branch={branch} />}
    </Page>
  )
}

const Facts = ({ branch }: { branch: Shown }) => (
  <>
    <p>
      <BranchState state={branch.state} /> {words.range(formatMoment(branch.since), formatMoment(branch.until))}
    </p>
    <p>{words.summary(branch.changedSales, branch.sales)}</p>
    {branch.ruleNames.length > 0 && <p>{words.rules(branch.ruleNames.join(', '))}</p>}
    {branch.attribution && <p>{words.coupons}</p>}
    {branch.reason && branch.decidedAt && <p>{words.acceptedFor(branch.reason, formatMoment(branch.decidedAt))}</p>}
    {branch.state === 'ACCEPTED' && !branch.finishedAt && <p className="warning">{words.unfinished}</p>}
  </>
)

function Differences({ branch: { differences, differenceCount } }: { branch: Shown }) {
  const { shown, button } = useMore(differences)
  if (differences.length === 0) return <Empty title={words.same} text={words.sameText} />
  return (
    <Card title={words.table} lead={words.tableLead}>
      <Table
        caption={words.some(formatNumber(shown.length), formatCount(differenceCount, 'difference'))}
        columns={columns}
        rows={shown}
        keyOf={({ affiliate, month, currency }) => `${affiliate.id} ${month} ${currency}`}
      />
      {button}
    </Card>
  )
}
