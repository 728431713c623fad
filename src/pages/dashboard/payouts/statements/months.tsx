import { Link } from '@tanstack/react-router'
import type {
  OpenMonthState,
  StatementMonthsQuery,
} from '../../../../generated/dashboard/payouts/statements/graphql.ts'
import { formatNumber } from '../../../parts/locale.ts'
import { type Column, Table } from '../../../parts/table.tsx'
import { useProgram } from '../../session/use-program.ts'
import { texts } from '../../texts.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { Card } from '../../ui/card.tsx'
import { formatMoment } from '../../ui/moment.tsx'

const words = texts.statements.months

type Row = { month: string; tone: Tone; state: string; note: string; statements: string }

const tones: Record<OpenMonthState, Tone> = { OPEN: 'plain', DIFFERENCES: 'bad', READY: 'good' }

/** The newest first. */
const rowsOf = ({ openMonths, statementMonths }: StatementMonthsQuery): Row[] => [
  ...openMonths.toReversed().map(({ month, state, closesAt }) => ({
    month,
    tone: tones[state],
    state: words.states[state],
    note: closesAt ? `${words.closes}: ${formatMoment(closesAt)}` : '',
    statements: '–',
  })),
  ...statementMonths.map(({ month, closedAt, statementCount }) => ({
    month,
    tone: closedAt ? ('good' as const) : ('wait' as const),
    state: closedAt ? words.closed : words.closing,
    note: closedAt ? formatMoment(closedAt) : '',
    statements: statementCount === null ? '–' : formatNumber(statementCount),
  })),
]

const columns: Column<Row>[] = [
  { name: words.month, cell: ({ month }) => <MonthLink month={month} /> },
  {
    name: words.state,
    isPlain: true,
    cell: ({ tone, state, note }) => (
      <>
        <Badge tone={tone}>{state}</Badge> {note && <span className="quiet">{note}</span>}
      </>
    ),
  },
  { name: words.statements, className: 'right', cell: ({ statements }) => statements },
]

function MonthLink({ month }: { month?: string }) {
  const { program } = useProgram()
  return (
    <Link to="/$program/payouts/statements" params={{ program: program.slug }} search={month ? { month } : {}}>
      {month ?? words.all}
    </Link>
  )
}

type MonthsProps = { data: StatementMonthsQuery; shown: string | undefined }

/** A month leads to its reconciliation, and to its statements. */
export const Months = ({ data, shown }: MonthsProps) => (
  <Card title={words.title} lead={words.lead} actions={shown && <MonthLink />}>
    <Table caption={words.title} columns={columns} rows={rowsOf(data)} keyOf={({ month }) => month} />
  </Card>
)
