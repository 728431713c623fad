import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import {
  type PayoutFragment,
  PayoutsDocument,
  PayoutTotalsDocument,
  type PayoutTotalsQuery,
} from '../../../generated/dashboard/payouts/graphql.ts'
import { FailureNotice } from '../../parts/failure-notice.tsx'
import { Day, formatMoney } from '../../parts/format.tsx'
import type { Column } from '../../parts/table.tsx'
import { nameOf } from '../affiliates/affiliate.tsx'
import { useData } from '../api/use-data.ts'
import { ListPage } from '../list/list-page.tsx'
import { useListState } from '../list/use-list-state.ts'
import { totalsOf } from '../money/totals.ts'
import { useProgram } from '../session/use-program.ts'
import { texts } from '../texts.ts'
import { Page } from '../ui/page.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { searchFilter, variablesOf, whereOf } from './filters.ts'
import { MarkPaid } from './mark-paid.tsx'
import { shownOptions, shownWhere, useMinimums } from './minimums.ts'
import { PayoutLink } from './payout-link.tsx'
import { PayoutTabs } from './payout-tabs.tsx'
import { NewRunLink } from './runs/new-run-link.tsx'
import { PayoutState } from './state.tsx'

const words = texts.payouts

const columns: Column<PayoutFragment>[] = [
  { name: texts.money.affiliate, cell: (payout) => <PayoutLink payout={payout} /> },
  { name: words.opened, sort: 'opened', cell: ({ createdAt }) => <Day at={createdAt} /> },
  {
    name: words.minimum,
    className: 'right',
    cell: ({ minimumPayoutCents, currency }) => formatMoney(minimumPayoutCents, currency),
  },
  { name: texts.money.state, isPlain: true, cell: (payout) => <PayoutState payout={payout} /> },
  {
    name: texts.money.amount,
    isNumber: true,
    sort: 'amount',
    cell: ({ amountCents, currency }) => formatMoney(amountCents, currency),
  },
]

type Paying = { payouts: readonly PayoutFragment[]; clear?(): void }

/** The payouts that wait, and the ways to pay all or some of them. What can be paid is shown first, the rest apart. */
export function OpenPayouts() {
  const { minimums, failure, retry } = useMinimums()
  if (minimums !== undefined) return <Open minimums={minimums} />
  return (
    <Page title={texts.views.payouts} lead={words.lead}>
      <PayoutTabs current="open" />
      {failure ? <FailureNotice message={failure} onRetry={retry} /> : <Skeleton lines={6} />}
    </Page>
  )
}

function Open({ minimums }: { minimums: readonly number[] | null }) {
  const { canChange } = useProgram()
  const { search } = useListState()
  const open = whereOf('PENDING', { ...search, currency: undefined })
  const { data } = useData(PayoutTotalsDocument, { where: { ...open, ...shownWhere(minimums, undefined) } })
  const { data: below } = useData(PayoutTotalsDocument, { where: { ...open, ...shownWhere(minimums, 'below') } })
  const [paying, setPaying] = useState<Paying>()
  const totals = data?.payouts.groupBy ?? []
  const rest = minimums === null ? [] : (below?.payouts.groupBy ?? [])
  const currencies = [...new Set([...totals, ...rest].flatMap(({ currency }) => currency ?? []))].sort()
  return (
    <>
      <ListPage
        views="PAYOUTS"
        title={texts.views.payouts}
        lead={words.lead}
        actions={canChange && totals.length > 0 && <NewRunLink />}
        noun={words.noun}
        document={PayoutsDocument}
        variables={(given, page) => {
          const variables = variablesOf('PENDING', '-amount')(given, page)
          return { ...variables, where: { ...variables.where, ...shownWhere(minimums, given.show) } }
        }}
        connection={({ payouts }) => payouts}
        columns={columns}
        filters={[
          searchFilter,
          { kind: 'choice', name: 'show', label: texts.money.state, all: words.canBePaid, options: shownOptions },
          {
            kind: 'choice',
            name: 'currency',
            label: texts.money.currency,
            options: currencies.map((value) => ({ value, name: value.toUpperCase() })),
          },
        ]}
        empty={rest.length > 0 ? words.nonePayableNow : words.open}
        {...(canChange && {
          bulk: {
            nameOf: ({ affiliate }: PayoutFragment) => nameOf(affiliate),
            actions: (_keys: ReadonlySet<string>, clear: () => void, rows: readonly PayoutFragment[]) => (
              <>
                <RunOfSelected payouts={rows} />
                <button type="button" onClick={() => setPaying({ payouts: rows, clear })}>
                  {words.pay}
                </button>
                <button type="button" className="plain" onClick={clear}>
                  {texts.list.none}
                </button>
              </>
            ),
          },
        })}
      >
        <PayoutTabs current="open" />
        <Totals totals={totals} />
        {rest.length > 0 && <Rest totals={rest} />}
      </ListPage>
      <MarkPaid payouts={paying?.payouts} onClose={() => setPaying(undefined)} onPaid={paying?.clear} />
    </>
  )
}

const Totals = ({ totals }: { totals: PayoutTotalsQuery['payouts']['groupBy'] }) =>
  totals.length > 0 && (
    <ul className="sums" aria-label={words.totals}>
      {totals.map(({ currency, count, sum }) => (
        <li key={currency}>
          <strong>{formatMoney(sum.amount.amountCents, currency ?? '')}</strong>{' '}
          <span className="quiet">{words.inPayouts(count)}</span>
        </li>
      ))}
    </ul>
  )

/** What waits for its minimum. */
function Rest({ totals }: { totals: PayoutTotalsQuery['payouts']['groupBy'] }) {
  const { program } = useProgram()
  const count = totals.reduce((sum, one) => sum + one.count, 0)
  const amounts = totals.map(({ currency, sum }) => ({
    currency: currency ?? '',
    amountCents: sum.amount.amountCents,
  }))
  return (
    <p>
      <Link to="/$program/payouts" params={{ program: program.slug }} search={{ show: 'below' }}>
        {words.rest(count, totalsOf(amounts))}
      </Link>
    </p>
  )
}

/** A run pays one currency: that of the first. */
function RunOfSelected({ payouts }: { payouts: readonly PayoutFragment[] }) {
  const { program } = useProgram()
  const search = { payouts: payouts.map(({ id }) => id).join(','), currency: payouts[0]?.currency }
  return (
    <Link to="/$program/payouts/runs/new" params={{ program: program.slug }} search={search} className="button primary">
      {texts.payoutRuns.ofSelected}
    </Link>
  )
}
