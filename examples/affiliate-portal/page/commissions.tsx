import { useState } from 'react'
import { Day, Email, readableMoney, State } from '../../../src/server/pages/portal/format.tsx'
import { type CommissionState, CommissionsDocument, type CommissionsQueryVariables } from './generated/graphql.ts'
import { TroubleNote } from './trouble.tsx'
import { useAnswer } from './use-answer.ts'

const pageSize = 10
const states: CommissionState[] = ['PENDING', 'DUE', 'PAID', 'VOID']

export function Commissions() {
  const [state, setState] = useState<CommissionState | ''>('')
  const [place, setPlace] = useState<CommissionsQueryVariables>({ first: pageSize })
  const where = state === '' ? null : { state: { equals: state } }
  const { data, trouble, isLoading, askAgain } = useAnswer(CommissionsDocument, { ...place, where })
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
              setPlace({ first: pageSize })
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
      {list && !trouble && (
        <>
          <table aria-busy={isLoading}>
            <caption>
              {list.totalCount === 0
                ? 'Nothing here yet.'
                : `${list.totalCount.toLocaleString()} in all, the newest first.`}
            </caption>
            {list.totalCount > 0 && (
              <>
                <thead>
                  <tr>
                    <th scope="col">Customer</th>
                    <th scope="col">Due</th>
                    <th scope="col">State</th>
                    <th scope="col" className="number">
                      Amount
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {list.nodes.map(({ id, sale, dueAt, state: itsState, amountCents, currency }) => (
                    <tr key={id}>
                      <th scope="row">
                        <Email of={sale.customer?.email ?? 'No e-mail'} />
                      </th>
                      <td className="due-at">
                        <Day at={dueAt} />
                      </td>
                      <td>
                        <State of={itsState} />
                      </td>
                      <td className="number">{readableMoney(amountCents, currency)}</td>
                    </tr>
                  ))}
                </tbody>
              </>
            )}
          </table>
          {(list.pageInfo.hasPreviousPage || list.pageInfo.hasNextPage) && (
            <nav aria-label="Pages of commissions" className="pages">
              <button
                type="button"
                disabled={isLoading || !list.pageInfo.hasPreviousPage}
                onClick={() => setPlace({ last: pageSize, before: list.pageInfo.startCursor })}
              >
                Newer
              </button>
              <button
                type="button"
                disabled={isLoading || !list.pageInfo.hasNextPage}
                onClick={() => setPlace({ first: pageSize, after: list.pageInfo.endCursor })}
              >
                Older
              </button>
            </nav>
          )}
        </>
      )}
    </section>
  )
}
