import { PayoutPreviewDocument, type PayoutPreviewQuery } from '../../../generated/dashboard/payouts/graphql.ts'
import { formatMoney } from '../../parts/format.tsx'
import { formatNumber } from '../../parts/locale.ts'
import { type Column, Table } from '../../parts/table.tsx'
import { useData } from '../api/use-data.ts'
import type { Filter } from '../list/filters.tsx'
import { List } from '../list/list.tsx'
import { type ListSearch, type PageVariables, pageOf } from '../list/search.ts'
import { useListState } from '../list/use-list-state.ts'
import { affiliateColumn, dayColumn } from '../money/columns.tsx'
import { endOf, today } from '../money/days.ts'
import { texts } from '../texts.ts'
import { Badge } from '../ui/badge.tsx'
import { Page } from '../ui/page.tsx'
import { searchFilter } from './filters.ts'
import { PayoutTabs } from './payout-tabs.tsx'

const words = texts.payouts

type Preview = PayoutPreviewQuery['payoutPreview']
type Expected = Preview['nodes'][number] & { id: string }

const columns: Column<Expected>[] = [
  affiliateColumn(),
  {
    name: words.count,
    className: 'right',
    cell: ({ commissionCount }) => formatNumber(commissionCount),
    csv: ({ commissionCount }) => commissionCount,
  },
  {
    name: words.debt,
    className: 'right',
    cell: ({ debtCents, currency }) => (debtCents > 0 ? formatMoney(-debtCents, currency) : '–'),
    isEmpty: ({ debtCents }) => debtCents === 0,
    csv: ({ debtCents, currency }) => ({ cents: -debtCents, currency }),
  },
  {
    name: words.minimum,
    className: 'right',
    cell: ({ minimumPayoutCents, currency }) => formatMoney(minimumPayoutCents, currency),
    csv: ({ minimumPayoutCents: cents, currency }) => ({ cents, currency }),
  },
  dayColumn(words.nextDue, ({ nextDueAt }) => nextDueAt),
  {
    name: texts.money.state,
    isPlain: true,
    cell: ({ reason }) => <Expectation reason={reason} />,
    csv: ({ reason }) => (reason === null ? words.states.ready : words.reasons[reason]),
  },
  {
    name: texts.money.amount,
    isNumber: true,
    cell: ({ amountCents, currency }) => formatMoney(amountCents, currency),
    csv: ({ amountCents: cents, currency }) => ({ cents, currency }),
  },
]

const withheldColumn: Column<Expected> = {
  name: words.withheld,
  isNumber: true,
  isEmpty: ({ withheldCents }) => withheldCents === 0,
  cell: ({ withheldCents, currency }) => (withheldCents > 0 ? formatMoney(withheldCents, currency) : '–'),
  csv: ({ withheldCents: cents, currency }) => ({ cents, currency }),
}

const Expectation = ({ reason }: Pick<Expected, 'reason'>) =>
  reason === null ? (
    <Badge tone="good">{words.states.ready}</Badge>
  ) : (
    <Badge tone={reason === 'DEBT' ? 'bad' : 'wait'}>{words.reasons[reason]}</Badge>
  )

/** By the end of today, or of the day that the address names. */
const variablesOf = ({ day, search, show }: ListSearch, page: PageVariables) => ({
  asOf: endOf(day ?? today()) ?? null,
  search: search ?? null,
  isPayable: show === 'all' ? null : show !== 'rest',
  ...page,
})

const filters: Filter[] = [
  searchFilter,
  {
    kind: 'choice',
    name: 'show',
    label: texts.money.state,
    all: words.canBePaid,
    options: [
      { value: 'rest', name: words.notYet },
      { value: 'all', name: texts.list.all },
    ],
  },
]

/** What could be paid on a day, now or in the future. */
export function PayoutPreview() {
  const state = useListState()
  const { search, filter } = state
  const { data } = useData(PayoutPreviewDocument, variablesOf(search, pageOf(search)))
  const withholds = data?.payoutPreview.totals.some(({ withheldCents }) => withheldCents !== 0) ?? false
  return (
    <Page title={texts.views.payouts} lead={words.previewLead}>
      <PayoutTabs current="preview" />
      <label className="filter">
        <span>{words.asOf}</span>
        <input
          type="date"
          value={search.day ?? today()}
          min={today()}
          onChange={({ target }) => filter({ day: target.value || undefined })}
        />
      </label>
      {data && data.payoutPreview.totals.length > 0 && (
        <Totals totals={data.payoutPreview.totals} withholds={withholds} />
      )}
      <List
        state={state}
        noun={words.previewNoun}
        document={PayoutPreviewDocument}
        variables={variablesOf}
        connection={({ payoutPreview: { nodes, ...rest } }) => ({
          ...rest,
          nodes: nodes.map((node) => ({ ...node, id: `${node.affiliateId} ${node.currency}` })),
        })}
        columns={withholds ? [...columns, withheldColumn] : columns}
        filters={filters}
        empty={words.noPreview}
      />
    </Page>
  )
}

const totalColumns: Column<Preview['totals'][number]>[] = [
  { name: texts.money.currency, cell: ({ currency }) => currency.toUpperCase() },
  { name: words.expected, className: 'right', cell: ({ amountCents, currency }) => moneyOf(amountCents, currency) },
  { name: words.payable, isNumber: true, cell: ({ payableCents, currency }) => moneyOf(payableCents, currency) },
]

const moneyOf = (cents: number | null, currency: string) =>
  cents === null ? words.tooMuch : formatMoney(cents, currency)

const withheldTotal: Column<Preview['totals'][number]> = {
  name: words.withheld,
  isNumber: true,
  cell: ({ withheldCents, currency }) => moneyOf(withheldCents, currency),
}

const Totals = ({ totals, withholds }: Pick<Preview, 'totals'> & { withholds: boolean }) => (
  <div className="list">
    <Table
      caption={words.previewTotals}
      columns={withholds ? [...totalColumns, withheldTotal] : totalColumns}
      rows={totals}
      keyOf={({ currency }) => currency}
    />
  </div>
)
