import { PayoutsDocument } from '../../../generated/portal/graphql.ts'
import { Day, readableMoney, State } from './format.tsx'
import { TroubleNote } from './notice.tsx'
import { Pages, usePages } from './pages.tsx'
import { useAnswer } from './use-answer.ts'

export function Payouts() {
  const pages = usePages()
  const { data, trouble, isLoading, askAgain } = useAnswer(PayoutsDocument, pages.place)
  const list = data?.me.payouts
  return (
    <section aria-labelledby="payouts">
      <h2 id="payouts">Payouts</h2>
      {trouble && <TroubleNote trouble={trouble} onRetry={askAgain} />}
      {!list && isLoading && <p className="quiet">Loading …</p>}
      {list && list.totalCount === 0 && (
        <p className="quiet">None yet. Commissions that are due are gathered in a payout, which is paid in one sum.</p>
      )}
      {list && list.totalCount > 0 && (
        <>
          <table className="rows" aria-busy={isLoading}>
            <caption>{list.totalCount.toLocaleString()} in all, the newest first.</caption>
            <thead>
              <tr>
                <th scope="col">Begun</th>
                <th scope="col">Paid</th>
                <th scope="col">Reference</th>
                <th scope="col">State</th>
                <th scope="col" className="number">
                  Amount
                </th>
              </tr>
            </thead>
            <tbody>
              {list.nodes.map(({ id, createdAt, paidAt, reference, state, amountCents, currency }) => (
                <tr key={id}>
                  <th scope="row">
                    <Day at={createdAt} />
                  </th>
                  <td data-name="Paid">{paidAt ? <Day at={paidAt} /> : 'not yet'}</td>
                  <td data-name="Reference" className={reference === null ? 'nothing' : 'reference'}>
                    {reference ?? '–'}
                  </td>
                  <td>
                    <State of={state} />
                  </td>
                  <td className="number">{readableMoney(amountCents, currency)}</td>
                </tr>
              ))}
            </tbody>
          </table>
          <Pages of="payouts" pages={pages} info={list.pageInfo} count={list.totalCount} isLoading={isLoading} />
        </>
      )}
    </section>
  )
}
