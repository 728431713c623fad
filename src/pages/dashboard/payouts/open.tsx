import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import {
  type PayoutFragment,
  PayoutsDocument,
  PayoutTotalsDocument,
  type PayoutTotalsQuery,
} from '../../../generated/dashboard/payouts/graphql.ts'
import { Day, formatMoney } from '../../parts/format.tsx'
import type { Column } from '../../parts/table.tsx'
import { nameOf } from '../affiliates/affiliate.tsx'
import { useData } from '../api/use-data.ts'
import { ListPage } from '../list/list-page.tsx'
import { useListState } from '../list/use-list-state.ts'
import { useProgram } from '../session/use-program.ts'
import { texts } from '../texts.ts'
import { searchFilter, variablesOf, whereOf } from './filters.ts'
import { MarkPaid } from './mark-paid.tsx'
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

/** The payouts that wait, and the ways to pay all or some of them. */
export function OpenPayouts() {
  const { canChange } = useProgram()
  const { search } = useListState()
  const { data } = useData(PayoutTotalsDocument, { where: whereOf('PENDING', { ...search, currency: undefined }) })
  const [paying, setPaying] = useState<Paying>()
  const totals = data?.payouts.groupBy ?? []
  const currencies = totals.flatMap(({ currency }) => currency ?? [])
  return (
    <>
      <ListPage
        views="PAYOUTS"
        title={texts.views.payouts}
        lead={words.lead}
        actions={canChange && totals.length > 0 && <NewRunLink />}
        noun={words.noun}
        document={PayoutsDocument}
        variables={variablesOf('PENDING', '-amount')}
        connection={({ payouts }) => payouts}
        columns={columns}
        filters={[
          searchFilter,
          {
            kind: 'choice',
            name: 'currency',
            label: texts.money.currency,
            options: currencies.map((value) => ({ value, name: value.toUpperCase() })),
          },
        ]}
        empty={words.open}
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
