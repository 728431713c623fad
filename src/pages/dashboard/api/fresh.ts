import { type Exchange, makeOperation, type Operation, type OperationResult } from 'urql'
import { filter, fromArray, fromValue, makeSubject, merge, mergeMap, pipe, share, tap } from 'wonka'

/**
 * Shows the last answer to a query at once, and asks again. After a mutation, all queries that are shown ask again:
 * most changes show in several places, such as the list, its count and the numbers at home. A request that is under way
 * then is dropped, because its answer can be from before the change. (The client's own `reexecuteOperation` would drop
 * the new request instead.)
 */
export const freshExchange: Exchange = ({ forward }) => {
  const answers = new Map<number, OperationResult>()
  const shown = new Map<number, Operation>()
  const again = makeSubject<Operation>()

  function refreshAll() {
    for (const operation of [...shown.values()]) again.next(operation)
    answers.clear()
  }

  return (operations$) => {
    const shared$ = pipe(
      merge([operations$, again.source]),
      tap((operation) => {
        if (operation.kind === 'query') shown.set(operation.key, operation)
        if (operation.kind === 'teardown') shown.delete(operation.key)
      }),
      share,
    )
    const known$ = pipe(
      shared$,
      filter(({ kind, key }) => kind === 'query' && answers.has(key)),
      mergeMap((operation) =>
        fromValue({ ...(answers.get(operation.key) as OperationResult), operation, stale: true }),
      ),
    )
    const asked$ = pipe(
      shared$,
      mergeMap((operation) =>
        operation.kind === 'query'
          ? fromArray([makeOperation('teardown', operation, operation.context), operation])
          : fromValue(operation),
      ),
      forward,
      tap((result) => {
        const { operation, error } = result
        if (operation.kind === 'query' && !error && !operation.context.isReadOnce) answers.set(operation.key, result)
        if (operation.kind === 'mutation' && (operation.context.refreshes ?? !error)) refreshAll()
      }),
    )
    return merge([known$, asked$])
  }
}
