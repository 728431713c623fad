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
import { useProgram } from '../session/use-program.ts'
import { texts } from '../texts.ts'
import { searchFilter, variablesOf, whereOf } from './filters.ts'
import { MarkPaid } from './mark-paid.tsx'
import { PayoutLink } from './payout-link.tsx'
import { PayoutTabs } from './payout-tabs.tsx'
import { PayoutState } from './state.tsx'
import { useAllPayouts } from './use-all-payouts.ts'
import { WalletFile } from './wallet-file.tsx'

const words = texts.payouts

const columns: Column<PayoutFragment>[] = [
  { name: texts.money.affiliate, cell: (payout) => <PayoutLink payout={payout} /> },
  { name: words.opened, sort: 'opened', cell: ({ createdAt }) => <Day at={createdAt} /> },
  {
    name: words.minimum,
    className: 'right',
    cell: ({ affiliate, currency }) => formatMoney(affiliate.campaign.minimumPayoutCents, currency),
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

/** The payouts that wait, and the run that pays all or some of them. */
export function OpenPayouts() {
  const { canChange } = useProgram()
  const { search } = useListState()
  const where = whereOf('PENDING', search)
  const { data } = useData(PayoutTotalsDocument, { where: whereOf('PENDING', { ...search, currency: undefined }) })
  const [paying, setPaying] = useState<Paying>()
  const [filing, setFiling] = useState<readonly string[]>()
  const all = useAllPayouts()
  const totals = data?.payouts.groupBy ?? []
  const currencies = totals.flatMap(({ currency }) => currency ?? [])
  // A button that is disabled while it loads would lose the focus.
  async function payAll() {
    if (all.loaded !== undefined) return
    const payouts = await all.load(where)
    if (payouts) setPaying({ payouts })
  }
  return (
    <>
      <ListPage
        views="PAYOUTS"
        title={texts.views.payouts}
        lead={words.lead}
        actions={
          totals.length > 0 && (
            <>
              <button type="button" onClick={() => setFiling([])}>
                {words.file}
              </button>
              {canChange && (
                <button type="button" className="primary" aria-disabled={all.loaded !== undefined} onClick={payAll}>
                  {words.payAll}
                </button>
              )}
            </>
          )
        }
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
                <button type="button" className="primary" onClick={() => setPaying({ payouts: rows, clear })}>
                  {words.pay}
                </button>
                <button type="button" onClick={() => setFiling(rows.map(({ id }) => id))}>
                  {words.file}
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
        {all.loaded !== undefined && (
          <p role="status" className="quiet">
            {words.loading(all.loaded)}
          </p>
        )}
        {all.failure && <FailureNotice message={all.failure} onRetry={payAll} />}
        <Totals totals={totals} />
      </ListPage>
      <MarkPaid payouts={paying?.payouts} onClose={() => setPaying(undefined)} onPaid={paying?.clear} />
      <WalletFile ids={filing} currencies={currencies} onClose={() => setFiling(undefined)} />
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
