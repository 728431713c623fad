import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import {
  type PayoutFragment,
  PayoutsDocument,
  PayoutTotalsDocument,
  type PayoutTotalsQuery,
} from '../../../generated/dashboard/payouts/graphql.ts'
import { byCurrency, currenciesInOrder } from '../../../kernel/money/currency-order.ts'
import { formatMoney } from '../../parts/format.tsx'
import { nameOf } from '../affiliate-name.tsx'
import { useData } from '../api/use-data.ts'
import { ListPage } from '../list/list-page.tsx'
import { useListState } from '../list/use-list-state.ts'
import { totalsOf } from '../money/totals.ts'
import { useProgram } from '../session/use-program.ts'
import { texts } from '../texts.ts'
import { openColumns } from './columns.tsx'
import { searchFilter, stateFilter, variablesOf, whereOf } from './filters.ts'
import { MarkPaid } from './mark-paid.tsx'
import { PayoutTabs } from './payout-tabs.tsx'
import { shownOptions, shownWhere } from './run-filter.ts'
import { NewRunLink } from './runs/new-run-link.tsx'

const words = texts.payouts

type Paying = { payouts: readonly PayoutFragment[]; clear?(): void }

/** The payouts that wait, and the ways to pay all or some of them. What can be paid is shown first, the rest apart. */
export function OpenPayouts() {
  const { program, canPay } = useProgram()
  const { search } = useListState()
  const open = whereOf('PENDING', { ...search, currency: undefined })
  const { data } = useData(PayoutTotalsDocument, { where: { ...open, ...shownWhere(undefined) } })
  const { data: below } = useData(PayoutTotalsDocument, { where: { ...open, ...shownWhere('below') } })
  const [paying, setPaying] = useState<Paying>()
  const totals = data?.payouts.groupBy ?? []
  const rest = below?.payouts.groupBy ?? []
  const codes = [...totals, ...rest].flatMap(({ currency }) => currency ?? [])
  const currencies = currenciesInOrder(codes, program.currency)
  return (
    <>
      <ListPage
        views="PAYOUTS"
        title={texts.views.payouts}
        lead={words.lead}
        actions={canPay && <NewRunLink />}
        noun={words.noun}
        document={PayoutsDocument}
        variables={(given, page) => {
          const variables = variablesOf('PENDING', '-amount')(given, page)
          return { ...variables, where: { ...variables.where, ...shownWhere(given.show) } }
        }}
        connection={({ payouts }) => payouts}
        columns={openColumns}
        filters={[
          searchFilter,
          stateFilter,
          { kind: 'choice', name: 'show', label: texts.money.state, all: words.canBePaid, options: shownOptions },
          {
            kind: 'choice',
            name: 'currency',
            label: texts.money.currency,
            options: currencies.map((value) => ({ value, name: value.toUpperCase() })),
          },
        ]}
        empty={rest.length > 0 ? words.nonePayableNow : words.open}
        {...(canPay && {
          bulk: {
            nameOf: ({ affiliate }: PayoutFragment) => nameOf(affiliate),
            actions: (_keys: ReadonlySet<string>, clear: () => void, rows: readonly PayoutFragment[]) => (
              <>
                <RunOfSelected payouts={rows} />
                <button type="button" onClick={() => setPaying({ payouts: rows, clear })}>
                  {words.pay}
                </button>
              </>
            ),
          },
        })}
      >
        <PayoutTabs current="open" />
        <Totals totals={totals} label={words.totals}>
          {rest.length > 0 && <Rest totals={rest} />}
        </Totals>
      </ListPage>
      <MarkPaid payouts={paying?.payouts} onClose={() => setPaying(undefined)} onPaid={paying?.clear} />
    </>
  )
}

type TotalsProps = {
  /** None while they are loading. */
  totals: PayoutTotalsQuery['payouts']['groupBy'] | undefined
  label: string
  children?: ReactNode
}

/** The sums of payouts by currency. The line is there before they are, so that nothing below it moves. */
export function Totals({ totals = [], label, children }: TotalsProps) {
  const { program } = useProgram()
  return (
    <div className="sums">
      {totals.length > 0 && (
        <ul aria-label={label}>
          {totals.toSorted(byCurrency(program.currency)).map(({ currency, count, sum }) => (
            <li key={currency}>
              <strong>{formatMoney(sum.amount.amountCents, currency ?? '')}</strong>{' '}
              <span className="quiet">{words.inPayouts(count)}</span>
            </li>
          ))}
        </ul>
      )}
      {children}
    </div>
  )
}

/** What waits for its minimum, or for the end of a run. */
function Rest({ totals }: { totals: PayoutTotalsQuery['payouts']['groupBy'] }) {
  const { program } = useProgram()
  const count = totals.reduce((sum, one) => sum + one.count, 0)
  const amounts = totals.map(({ currency, sum }) => ({
    currency: currency ?? '',
    amountCents: sum.amount.amountCents,
  }))
  return (
    <Link to="/$program/payouts" params={{ program: program.slug }} search={{ show: 'below' }}>
      {words.rest(count, totalsOf(amounts, program))}
    </Link>
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
