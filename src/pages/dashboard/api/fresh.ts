import { type Exchange, makeOperation, type Operation, type OperationResult } from 'urql'
import { filter, fromValue, map, merge, mergeMap, pipe, share, tap } from 'wonka'

/**
 * Shows the last answer to a query at once, and asks again. After a mutation, all queries that are shown ask again:
 * most changes show in several places, such as the list, its count and the numbers at home.
 */
export const freshExchange: Exchange = ({ client, forward }) => {
  const answers = new Map<number, OperationResult>()
  const shown = new Map<number, Operation>()

  function refreshAll() {
    answers.clear()
    for (const operation of shown.values())
      client.reexecuteOperation(
        makeOperation('query', operation, { ...operation.context, requestPolicy: 'network-only' }),
      )
  }

  return (operations$) => {
    const shared$ = pipe(
      operations$,
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
      map((operation) => operation),
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
