import { Link } from '@tanstack/react-router'
import type { AffiliateRowFragment } from '../../../generated/dashboard/affiliates/graphql.ts'
import { Email, formatMoney } from '../../parts/format.tsx'
import { formatNumber } from '../../parts/locale.ts'
import type { Column } from '../../parts/table.tsx'
import { nameOf, StateBadge } from '../affiliate-name.tsx'
import { campaignColumn, dayColumn } from '../money/columns.tsx'
import { useProgram } from '../session/use-program.ts'
import { texts } from '../texts.ts'

const words = texts.affiliates

type Sum = 'revenue' | 'total' | 'due' | 'paid'

/** A sum in the program's currency, by which the list is sorted, or else in another. Others are counted beside it. */
const sumColumn = (name: string, sort: string, sum: Sum): Column<AffiliateRowFragment> => ({
  name,
  className: 'right',
  sort,
  cell: ({ balances: [main, ...others] }) => {
    if (!main) return null
    const [first = main, ...more] = [main, ...others].filter((balance) => balance[sum].cents !== 0)
    return (
      <>
        {formatMoney(first[sum].cents, first.currency)}
        {more.length > 0 && (
          <span className="quiet" title={more.map((other) => formatMoney(other[sum].cents, other.currency)).join(', ')}>
            {' '}
            {words.otherCurrencies(more.length)}
          </span>
        )}
      </>
    )
  },
  csv: ({ balances: [main] }) => main && { cents: main[sum].cents, currency: main.currency },
})

const countColumn = (name: string, count: 'visitors' | 'leads' | 'conversions'): Column<AffiliateRowFragment> => ({
  name,
  className: 'right',
  cell: ({ [count]: value }) => formatNumber(value),
  csv: ({ [count]: value }) => value,
  // A list has no room for all numbers, so that those of money come first.
  isExtra: true,
})

export const columns: Column<AffiliateRowFragment>[] = [
  {
    name: words.columns.affiliate,
    cell: (affiliate) => <Name affiliate={affiliate} />,
    sort: 'affiliate',
    // The names that an import reads.
    csv: {
      email: ({ email }) => email,
      first_name: ({ firstName }) => firstName,
      last_name: ({ lastName }) => lastName,
      paypal_email: ({ paypalEmail }) => paypalEmail,
      wise_email: ({ wiseEmail }) => wiseEmail,
      billing_customer_id: ({ billingCustomerId }) => billingCustomerId,
      coupon: ({ coupons }) => coupons.nodes.map(({ token }) => token).join(';'),
      id: ({ id }) => id,
    },
  },
  campaignColumn(),
  {
    name: words.columns.state,
    cell: ({ state }) => <StateBadge state={state} />,
    isPlain: true,
    csv: ({ state }) => words.states[state],
  },
  dayColumn(words.columns.createdAt, ({ createdAt }) => createdAt, { sort: 'created', isExtra: true }),
  countColumn(words.columns.visitors, 'visitors'),
  countColumn(words.columns.leads, 'leads'),
  countColumn(words.columns.conversions, 'conversions'),
  sumColumn(words.columns.revenue, 'revenue', 'revenue'),
  sumColumn(words.columns.commissions, 'commissions', 'total'),
  sumColumn(words.columns.due, 'due', 'due'),
  sumColumn(words.columns.paid, 'paid', 'paid'),
]

function Name({ affiliate }: { affiliate: AffiliateRowFragment }) {
  const { program } = useProgram()
  const name = nameOf(affiliate)
  return (
    <>
      <Link to="/$program/affiliates/$id" params={{ program: program.slug, id: affiliate.id }}>
        {name}
      </Link>
      {name !== affiliate.email && (
        <span className="quiet second-line">
          <Email address={affiliate.email} />
        </span>
      )}
    </>
  )
}
