import type { PayoutFragment } from '../../../generated/dashboard/payouts/graphql.ts'
import { formatMoney } from '../../parts/format.tsx'
import type { Column } from '../../parts/table.tsx'
import { affiliateColumn, amountColumn, dayColumn } from '../money/columns.tsx'
import { texts } from '../texts.ts'
import { stateOf } from './payable.ts'
import { PayoutState } from './state.tsx'

const words = texts.payouts

/** The columns of payouts that wait. */
export const openColumns: Column<PayoutFragment>[] = [
  affiliateColumn(),
  {
    name: words.affiliateState,
    isEmpty: ({ affiliate }) => affiliate.state === 'ACTIVE',
    cell: ({ affiliate }) => texts.affiliates.states[affiliate.state],
    csv: ({ affiliate }) => texts.affiliates.states[affiliate.state],
  },
  dayColumn(words.opened, ({ createdAt }) => createdAt, { sort: 'opened' }),
  {
    name: words.minimum,
    className: 'right',
    cell: ({ minimumPayoutCents, currency }) => formatMoney(minimumPayoutCents, currency),
    csv: ({ minimumPayoutCents: cents, currency }) => ({ cents, currency }),
  },
  {
    name: texts.money.state,
    isPlain: true,
    cell: (payout) => <PayoutState payout={payout} />,
    csv: (payout) => words.states[stateOf(payout)],
  },
  amountColumn('payouts'),
]

/** The columns of paid payouts. */
export const paidColumns: Column<PayoutFragment>[] = [
  affiliateColumn(),
  {
    name: words.reference,
    cell: ({ reference }) => reference ?? '–',
    isEmpty: ({ reference }) => !reference,
    className: 'reference',
    csv: ({ reference }) => reference,
  },
  dayColumn(words.paidAt, ({ paidAt }) => paidAt, { sort: 'paid' }),
  amountColumn('payouts'),
]
