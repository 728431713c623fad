import { useGraphiQL, useGraphiQLActions } from '@graphiql/react'
import { Kind, type OperationDefinitionNode, parse } from 'graphql'
import { useEffect, useSyncExternalStore } from 'react'
import { type LinkedQuery, readLink } from '../parts/query-link.ts'
import { isKeyError } from './send-operation.ts'
import { currentSession, hasAccess, useKeyState } from './session.ts'

/** Reads and writes the query and the variables of the active tab. */
export function useTabContent() {
  const { queryEditor, variableEditor } = useGraphiQL(({ queryEditor, variableEditor }) => ({
    queryEditor,
    variableEditor,
  }))
  return {
    read: (): LinkedQuery => ({ query: queryEditor?.getValue() ?? '', variables: variableEditor?.getValue() ?? '' }),
    write({ query, variables }: LinkedQuery) {
      queryEditor?.setValue(query)
      variableEditor?.setValue(variables)
    },
  }
}

/**
 * Returns a function that opens a query in a new tab, or in the active tab if that is empty. If it is to run, it runs
 * as soon as GraphiQL knows its operation.
 */
export function useOpenTab() {
  const { addTab } = useGraphiQLActions()
  const hasEditor = useGraphiQL(({ queryEditor }) => Boolean(queryEditor))
  const content = useTabContent()
  return (linked: LinkedQuery, isRun: boolean) => {
    if (!hasEditor) return
    if (content.read().query.trim()) addTab()
    content.write(linked)
    if (isRun) runSoon(linked)
  }
}

/** The query that is to run. It outlives the list of queries, which can fold away before. */
let waiting: { name: string | undefined; query: string } | null = null
const listeners = new Set<() => void>()

/** Runs a query once it is in the editor. Changes do not run by themselves, and neither do subscriptions. */
function runSoon({ query }: LinkedQuery): void {
  const operation = onlyQueryIn(query)
  waiting = operation && { name: operation.name?.value, query }
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Runs what waits, as soon as GraphiQL knows its operation. */
export function useWaitingQuery(): void {
  const { run } = useGraphiQLActions()
  const operationName = useGraphiQL((state) => state.operationName)
  const content = useTabContent()
  const current = useSyncExternalStore(subscribe, () => waiting)
  useEffect(() => {
    if (!current || content.read().query !== current.query || (operationName ?? undefined) !== current.name) return
    waiting = null
    void run()
  })
}

/** The operation of a document, if it is one query. */
function onlyQueryIn(text: string): OperationDefinitionNode | null {
  try {
    const operations = parse(text).definitions.filter(({ kind }) => kind === Kind.OPERATION_DEFINITION)
    const [operation] = operations as OperationDefinitionNode[]
    return operations.length === 1 && operation?.operation === 'query' ? operation : null
  } catch {
    return null
  }
}

/** Runs the query of the link that opened the page, if there was access by then. Without it, nothing was asked for. */
export function useRunLinked(linked: LinkedQuery | null): void {
  const isReady = useGraphiQL(({ queryEditor }) => Boolean(queryEditor))
  // biome-ignore lint/correctness/useExhaustiveDependencies: it runs once
  useEffect(() => {
    if (isReady && linked && hasAccess(currentSession())) runSoon(linked)
  }, [isReady])
}

/** Scrolls to the active tab, which can be outside of the visible tabs. */
export function useScrollToActiveTab(): void {
  const activeTabIndex = useGraphiQL((state) => state.activeTabIndex)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the index only triggers the effect
  useEffect(() => {
    document.querySelector('.graphiql-tab-active')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [activeTabIndex])
}

/** Shows another pane from its top, not from where the pane before it was scrolled to. */
export function useTopOfPane(): void {
  const visiblePlugin = useGraphiQL((state) => state.visiblePlugin)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the pane only triggers the effect
  useEffect(() => {
    document.querySelector('.graphiql-plugin')?.scrollTo(0, 0)
  }, [visiblePlugin])
}

/** Removes a result that only asks for a key, or rejects one, as soon as the service accepts the key. */
export function useClearedKeyErrors(): void {
  const { kind } = useKeyState()
  const { updateActiveTabValues } = useGraphiQLActions()
  const { responseEditor, response } = useGraphiQL(({ responseEditor, tabs, activeTabIndex }) => ({
    responseEditor,
    response: tabs[activeTabIndex]?.response ?? '',
  }))
  const isAccepted = kind === 'accepted' || kind === 'choosing'
  useEffect(() => {
    // GraphiQL writes an error of the schema's request into the editor only, not into the tab.
    if (!isAccepted || !saysKeyError(responseEditor?.getValue() || response)) return
    responseEditor?.setValue('')
    updateActiveTabValues({ response: null })
  }, [isAccepted, response, responseEditor, updateActiveTabValues])
}

function saysKeyError(response: string): boolean {
  try {
    return isKeyError(JSON.parse(response))
  } catch {
    return false
  }
}

/** Opens a query link in a new tab when it is followed while the page is open. */
export function useLinkNavigation(): void {
  const open = useOpenTab()
  useEffect(() => {
    const openLink = async () => {
      const linked = await readLink(location.hash)
      if (!linked) return
      history.replaceState(null, '', location.pathname + location.search)
      open(linked, hasAccess(currentSession()))
    }
    addEventListener('hashchange', openLink)
    return () => removeEventListener('hashchange', openLink)
  })
}
