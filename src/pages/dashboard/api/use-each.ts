import { useCallback, useRef, useState } from 'react'
import type { Document, Outcome } from './use-data.ts'
import { useAction } from './use-data.ts'

/** How many requests run at the same time. */
const atOnce = 4

export type EachState<Item> = {
  /** How many items are done, whether they failed or not. */
  done: number
  failed: readonly { item: Item; message: string }[]
}

type Each<Item> = EachState<Item> & {
  /** @returns the items that failed */
  run(items: readonly Item[]): Promise<EachState<Item>['failed']>
  /** Sends nothing more. What is on its way goes on. */
  stop(): void
  reset(): void
}

/** Runs a mutation for each of many items, a few at a time. The views ask again after the last one. */
export function useEach<Item, Data, Variables extends object>(
  document: Document<Data, Variables>,
  variablesOf: (item: Item) => Variables,
): Each<Item> {
  const [action] = useAction(document)
  const [state, setState] = useState<EachState<Item>>({ done: 0, failed: [] })
  const isStopped = useRef(false)
  const latest = useRef(variablesOf)
  latest.current = variablesOf

  const run = useCallback(
    async (items: readonly Item[]) => {
      const [failed, waiting] = [[] as { item: Item; message: string }[], [...items]]
      let done = 0
      isStopped.current = false
      setState({ done, failed: [] })
      const send = async (item: Item, refreshes: boolean) => {
        const { failure }: Outcome<Data> = await action(latest.current(item), { refreshes })
        if (failure !== undefined) failed.push({ item, message: failure })
        done += 1
        setState({ done, failed: [...failed] })
      }
      const last = waiting.pop()
      const work = async () => {
        for (let item = waiting.shift(); item !== undefined && !isStopped.current; item = waiting.shift())
          await send(item, false)
      }
      await Promise.all(Array.from({ length: atOnce }, work))
      if (last !== undefined && !isStopped.current) await send(last, true)
      return failed
    },
    [action],
  )
  return {
    ...state,
    run,
    stop: useCallback(() => {
      isStopped.current = true
    }, []),
    reset: useCallback(() => setState({ done: 0, failed: [] }), []),
  }
}
