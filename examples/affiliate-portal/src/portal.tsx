import { type ReactNode, useEffect, useState } from 'react'
import { ask, openSession } from './client.ts'
import { CopyButton } from './copy-button.tsx'
import { count, day, money } from './format.ts'
import { PortalDocument, type PortalQuery } from './gql/graphql.ts'

type Me = PortalQuery['me']
type Shown = { state: 'loading' } | { state: 'failed'; message: string } | { state: 'ready'; me: Me }

/** An affiliate's own numbers. On a phone what matters most stands first; tables scroll by themselves. */
export function Portal() {
  const [shown, show] = useState<Shown>({ state: 'loading' })
  useEffect(() => {
    openSession()
      .then((session) => ask(session, PortalDocument, { recent: 10 }))
      .then(({ me }) => show({ state: 'ready', me }))
      .catch((error: Error) => show({ state: 'failed', message: error.message }))
  }, [])
  if (shown.state === 'loading') return <p role="status">Loading …</p>
  if (shown.state === 'failed') return <p role="alert">{shown.message}</p>
  return <Numbers me={shown.me} />
}

function Numbers({ me }: { me: Me }) {
  return (
    <>
      <header>
        <h1>{[me.firstName, me.lastName].filter(Boolean).join(' ') || me.email}</h1>
        <p>
          {me.campaign.name}: {rewardOf(me.campaign)}
        </p>
      </header>
      <Totals me={me} />
      <Links me={me} />
      <Table
        caption="Last commissions"
        columns={['Sale', 'Commission', 'State', 'Customer', 'Sold for']}
        empty="No sale yet."
      >
        {me.commissions.nodes.map(({ id, sale, refund, amountCents, currency, state, dueAt }) => (
          <tr key={id}>
            <th scope="row">{day(sale.occurredAt)}</th>
            <td className="number">{money(amountCents, currency)}</td>
            <td>{state === 'PENDING' ? `pending, due ${day(dueAt)}` : state.toLowerCase()}</td>
            <td>{sale.customer?.email ?? '–'}</td>
            <td className="number">
              {refund
                ? `${money(refund.amountCents, sale.currency)} given back`
                : money(sale.amountCents, sale.currency)}
            </td>
          </tr>
        ))}
      </Table>
      <Table caption="Payouts" columns={['Since', 'Amount', 'State']} empty="No payout yet.">
        {me.payouts.nodes.map(({ id, createdAt, amountCents, currency, paidAt }) => (
          <tr key={id}>
            <th scope="row">{day(createdAt)}</th>
            <td className="number">{money(amountCents, currency)}</td>
            <td>{paidAt ? `paid ${day(paidAt)}` : 'open'}</td>
          </tr>
        ))}
      </Table>
    </>
  )
}

const rewardOf = ({ commissionPercent, commissionAmountCents, commissionCurrency }: Me['campaign']) =>
  commissionPercent != null
    ? `${commissionPercent} percent of each sale`
    : `${money(commissionAmountCents ?? 0, commissionCurrency)} for each sale`

function Totals({ me }: { me: Me }) {
  const totals: [string, string, string?][] = [
    ['Visitors', count(me.visitors)],
    ['Leads', count(me.leads)],
    ['Customers', count(me.conversions)],
    ...(['pending', 'due', 'paid'] as const).map((state): [string, string, string] => {
      const { count: commissions, sum } = me[state].aggregate
      return [
        `Commission ${state}`,
        sum.amount.formatted,
        commissions === 1 ? '1 commission' : `${count(commissions)} commissions`,
      ]
    }),
  ]
  return (
    <section aria-labelledby="totals">
      <h2 id="totals">So far</h2>
      <dl className="totals">
        {totals.map(([name, value, more]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              {value} {more && <small>{more}</small>}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

function Links({ me }: { me: Me }) {
  return (
    <section aria-labelledby="links">
      <h2 id="links">Your links</h2>
      <ul className="links">
        {me.links.nodes.map(({ id, url, visitors, conversions }) => (
          <li key={id}>
            <code>{url}</code> <CopyButton text={url} />
            <small>
              {count(visitors)} visitors, {count(conversions)} customers
            </small>
          </li>
        ))}
        {me.coupon && (
          <li>
            <code>{me.coupon.token}</code> <CopyButton text={me.coupon.token} />
            <small>your coupon</small>
          </li>
        )}
      </ul>
    </section>
  )
}

type TableProps = { caption: string; columns: string[]; empty: string; children: ReactNode[] }

/** Scrolls by itself where it is wider than the page, by keyboard too. */
function Table({ caption, columns, empty, children }: TableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard.
    <section className="table" aria-label={caption} tabIndex={0}>
      <table>
        <caption>{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {children.length > 0 ? (
            children
          ) : (
            <tr>
              <td colSpan={columns.length}>{empty}</td>
            </tr>
          )}
        </tbody>
      </table>
    </section>
  )
}
