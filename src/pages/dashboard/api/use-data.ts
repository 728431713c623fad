import { useCallback, useRef, useState } from 'react'
import { type CombinedError, useClient, useQuery } from 'urql'
import { inLocale } from '../../parts/format.tsx'
import type { Document } from '../../parts/graphql.ts'
import { texts } from '../texts.ts'

export type { Document }

export type Loaded<Data> = {
  /** The latest result. It stays while the next one is loading. */
  data: Data | undefined
  /** What went wrong, for people. */
  failure: string | undefined
  /** What is wrong with single arguments, by their names. */
  problems: Readonly<Record<string, string>>
  isLoading: boolean
  retry(): void
}

type Options = { pause?: boolean }

/** Runs a query, and runs it again when its variables change, or after a change of anything. */
export function useData<Data, Variables extends object>(
  document: Document<Data, Variables>,
  variables: Variables,
  { pause = false }: Options = {},
): Loaded<Data> {
  const [{ data, error, fetching, stale }, run] = useQuery<Data>({ query: document.toString(), variables, pause })
  const last = useRef<Data | undefined>(undefined)
  if (data) last.current = data
  const isLoading = fetching || stale
  return {
    data: data ?? last.current,
    failure: error && !fetching ? failureOf(error) : undefined,
    problems: problemsOf(error),
    isLoading,
    retry: useCallback(() => run({ requestPolicy: 'network-only' }), [run]),
  }
}

/** The payloads of a mutation that has succeeded. They are nullable, because a field that fails is null. */
export type Done<Data> = { [Field in keyof Data]: NonNullable<Data[Field]> }

/** The outcome of a mutation. Problems are by the name of the input's field. */
export type Outcome<Data> =
  | { data: Done<Data>; failure?: undefined; problems?: undefined }
  | { data?: undefined; failure: string; problems: Readonly<Record<string, string>> }

/**
 * Returns a function that runs a mutation, and whether it is running. One of many mutations can say whether the views
 * ask again after it; by default they do if it succeeded.
 */
export function useAction<Data, Variables extends object>(document: Document<Data, Variables>) {
  const client = useClient()
  const [isRunning, setRunning] = useState(false)
  const run = useCallback(
    async (variables: Variables, { refreshes }: { refreshes?: boolean } = {}): Promise<Outcome<Data>> => {
      setRunning(true)
      const { data, error } = await client.mutation<Data>(document.toString(), variables, { refreshes }).toPromise()
      setRunning(false)
      return data && !error ? { data: data as Done<Data> } : { failure: failureOf(error), problems: problemsOf(error) }
    },
    [client, document],
  )
  return [run, isRunning] as const
}

/** What went wrong, for people. */
export function failureOf(error: CombinedError | undefined): string {
  const first = error?.graphQLErrors[0]
  if (!first || error?.networkError) return texts.failures.unreachable
  return first.extensions?.code === 'INTERNAL' ? texts.failures.internal : inLocale(first.message)
}

type Problem = { field?: string; message: string }

const problemsOf = (error: CombinedError | undefined): Record<string, string> =>
  Object.fromEntries(
    (error?.graphQLErrors ?? [])
      .flatMap(({ extensions }) => (extensions?.problems ?? []) as Problem[])
      .flatMap(({ field, message }) => (field ? [[field, message]] : [])),
  )
