import { useState } from 'react'
import { type CommissionState, CommissionsDocument, type CommissionsQuery } from '../../../generated/portal/graphql.ts'
import { Day, Email, readableMoney, State } from './format.tsx'
import { TroubleNote } from './notice.tsx'
import { Pages, usePages } from './pages.tsx'
import { useAnswer } from './use-answer.ts'

const states: CommissionState[] = ['PENDING', 'DUE', 'PAID', 'VOID']

export function Commissions() {
  const [state, setState] = useState<CommissionState | ''>('')
  const pages = usePages()
  const where = state === '' ? null : { state: { equals: state } }
  const { data, trouble, isLoading, askAgain } = useAnswer(CommissionsDocument, { ...pages.place, where })
  const list = data?.me.commissions

  return (
    <section aria-labelledby="commissions">
      <div className="head">
        <h2 id="commissions">Commissions</h2>
        <label>
          Show{' '}
          <select
            value={state}
            onChange={({ target }) => {
              setState(states.find((one) => one === target.value) ?? '')
              pages.restart()
            }}
          >
            <option value="">all</option>
            {states.map((one) => (
              <option key={one} value={one}>
                {one.toLowerCase()}
              </option>
            ))}
          </select>
        </label>
      </div>
      {trouble && <TroubleNote trouble={trouble} onRetry={askAgain} />}
      {!list && isLoading && <p className="quiet">Loading …</p>}
      {list && list.totalCount === 0 && (
        <p className="quiet">
          {state === ''
            ? 'None yet. You earn your first one when somebody buys who came through your link or used your coupon.'
            : `None is ${state.toLowerCase()}.`}
        </p>
      )}
      {list && list.totalCount > 0 && (
        <>
          <table className="rows" aria-busy={isLoading}>
            <caption>{list.totalCount.toLocaleString()} in all, the newest first.</caption>
            <thead>
              <tr>
                <th scope="col">Customer</th>
                <th scope="col">Sale</th>
                <th scope="col">Due</th>
                <th scope="col">State</th>
                <th scope="col" className="number">
                  Amount
                </th>
              </tr>
            </thead>
            <tbody>
              {list.nodes.map((commission) => (
                <Row key={commission.id} of={commission} />
              ))}
            </tbody>
          </table>
          <Pages of="commissions" pages={pages} info={list.pageInfo} count={list.totalCount} isLoading={isLoading} />
        </>
      )}
    </section>
  )
}

const Row = ({ of }: { of: CommissionsQuery['me']['commissions']['nodes'][number] }) => (
  <tr>
    <th scope="row">
      <Email of={of.sale.customer?.email ?? 'No e-mail'} />
    </th>
    <td data-name="Sale">
      <Day at={of.sale.occurredAt} />
    </td>
    <td data-name="Due">
      <Day at={of.dueAt} />
    </td>
    <td>
      <State of={of.state} />
    </td>
    <td className="number">{readableMoney(of.amountCents, of.currency)}</td>
  </tr>
)
