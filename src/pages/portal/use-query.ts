import { createContext, useCallback, useContext, useEffect, useState } from 'react'
import type { Document } from '../parts/graphql.ts'
import { QueryError, type QueryFailure, type RunQuery } from './query.ts'

/** How the components below run queries. A page provides it, because pages sign in differently. */
export const QueryContext = createContext<RunQuery>(() => Promise.reject(new QueryError('unauthorized')))

type State<Data> = {
  /** The latest result. It stays while the next one is loading. */
  data: Data | undefined
  failure: QueryFailure | undefined
  isLoading: boolean
}
export type QueryState<Data> = State<Data> & { retry(): void }

/** Loads data, and loads it again when the key changes. The key must contain everything that `load` depends on. */
export function useLoad<Data>(key: string, load: (runQuery: RunQuery) => Promise<Data>): QueryState<Data> {
  const runQuery = useContext(QueryContext)
  const [state, setState] = useState<State<Data>>({ data: undefined, failure: undefined, isLoading: true })
  const [attempt, setAttempt] = useState(0)

  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for `load`, and a new attempt loads again
  useEffect(() => {
    let isCurrent = true
    setState(({ data }) => ({ data, failure: undefined, isLoading: true }))
    load(runQuery).then(
      (data) => isCurrent && setState({ data, failure: undefined, isLoading: false }),
      (error: unknown) => {
        const failure = error instanceof QueryError ? error.failure : 'rejected'
        if (isCurrent) setState(({ data }) => ({ data, failure, isLoading: false }))
      },
    )
    return () => {
      isCurrent = false
    }
  }, [key, runQuery, attempt])

  return { ...state, retry: useCallback(() => setAttempt((last) => last + 1), []) }
}

/** Runs an operation, and runs it again when its variables change. */
export const useQuery = <Data, Variables>(operation: Document<Data, Variables>, variables: Variables) =>
  useLoad(JSON.stringify(variables), (runQuery) => runQuery(operation, variables))
