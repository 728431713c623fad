import { useCallback, useEffect, useState } from 'react'
import type { TypedDocumentString } from '../../../generated/portal/graphql.ts'
import { AskError, ask, type Trouble } from './ask.ts'

export type Answer<Data> = {
  /** The last answer; while the next one is under way, still that. */
  data: Data | undefined
  trouble: Trouble | undefined
  isLoading: boolean
  askAgain(): void
}

/** What a question comes to, asked again when its name changes. `name` has to say all that the question depends on. */
export function useAsked<Data>(name: string, question: () => Promise<Data>): Answer<Data> {
  const [state, setState] = useState<Omit<Answer<Data>, 'askAgain'>>({
    data: undefined,
    trouble: undefined,
    isLoading: true,
  })
  const [turn, setTurn] = useState(0)

  // biome-ignore lint/correctness/useExhaustiveDependencies: the name stands for the question, and `turn` asks the same again
  useEffect(() => {
    let isWanted = true
    setState(({ data }) => ({ data, trouble: undefined, isLoading: true }))
    question().then(
      (data) => isWanted && setState({ data, trouble: undefined, isLoading: false }),
      (error: unknown) => {
        const trouble = error instanceof AskError ? error.trouble : 'refused'
        if (isWanted) setState(({ data }) => ({ data, trouble, isLoading: false }))
      },
    )
    return () => {
      isWanted = false
    }
  }, [name, turn])

  return { ...state, askAgain: useCallback(() => setTurn((last) => last + 1), []) }
}

/** What the service answers to an operation, asked again when its variables change. */
export const useAnswer = <Data, Variables>(
  document: TypedDocumentString<Data, Variables>,
  variables: Variables,
): Answer<Data> => useAsked(JSON.stringify(variables), () => ask(document, variables))
