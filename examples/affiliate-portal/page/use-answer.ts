import { useCallback, useEffect, useState } from 'react'
import { ask, PortalError, type Trouble } from './ask.ts'
import type { TypedDocumentString } from './generated/graphql.ts'

export type Answer<Data> = {
  /** The last answer; while the next one is under way, still that. */
  data: Data | undefined
  trouble: Trouble | undefined
  isLoading: boolean
  askAgain(): void
}

/** What the service answers to an operation, asked again when its variables change. */
export function useAnswer<Data, Variables>(
  document: TypedDocumentString<Data, Variables>,
  variables: Variables,
): Answer<Data> {
  const [state, setState] = useState<Omit<Answer<Data>, 'askAgain'>>({
    data: undefined,
    trouble: undefined,
    isLoading: true,
  })
  const [turn, setTurn] = useState(0)
  const written = JSON.stringify(variables)

  // biome-ignore lint/correctness/useExhaustiveDependencies: `turn` asks the same again
  useEffect(() => {
    let isWanted = true
    setState(({ data }) => ({ data, trouble: undefined, isLoading: true }))
    ask(document, JSON.parse(written) as Variables).then(
      (data) => isWanted && setState({ data, trouble: undefined, isLoading: false }),
      (error: unknown) => {
        const trouble = error instanceof PortalError ? error.trouble : 'refused'
        if (isWanted) setState(({ data }) => ({ data, trouble, isLoading: false }))
      },
    )
    return () => {
      isWanted = false
    }
  }, [document, written, turn])

  return { ...state, askAgain: useCallback(() => setTurn((last) => last + 1), []) }
}
