import { Day, readableMoney, State } from '../../../src/server/pages/portal/format.tsx'
import type { OverviewQuery } from './generated/graphql.ts'

type Payout = OverviewQuery['me']['payouts']['nodes'][number]

export function Payouts({ payouts }: { payouts: Payout[] }) {
  return (
    <section aria-labelledby="payouts">
      <h2 id="payouts">Payouts</h2>
      <table>
        <caption>{payouts.length === 0 ? 'None yet.' : 'The latest five at most.'}</caption>
        {payouts.length > 0 && (
          <>
            <thead>
              <tr>
                <th scope="col">Paid</th>
                <th scope="col">Reference</th>
                <th scope="col">State</th>
                <th scope="col" className="number">
                  Amount
                </th>
              </tr>
            </thead>
            <tbody>
              {payouts.map(({ id, paidAt, reference, state, amountCents, currency }) => (
                <tr key={id}>
                  <th scope="row">{paidAt ? <Day at={paidAt} /> : 'Not yet'}</th>
                  <td className="reference">{reference ?? '–'}</td>
                  <td>
                    <State of={state} />
                  </td>
                  <td className="number">{readableMoney(amountCents, currency)}</td>
                </tr>
              ))}
            </tbody>
          </>
        )}
      </table>
    </section>
  )
}
