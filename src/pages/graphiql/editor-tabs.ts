import { useGraphiQL, useGraphiQLActions } from '@graphiql/react'
import { useEffect, useRef } from 'react'
import { type LinkedQuery, readLink } from '../parts/query-link.ts'
import { isKeyError } from './send-operation.ts'
import { useKeyState } from './session.ts'

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
 * Returns a function that opens a query in a new tab, or in the active tab if that is empty. With an operation name it also
 * runs the query, as soon as GraphiQL knows the operation.
 */
export function useOpenTab() {
  const { addTab, run } = useGraphiQLActions()
  const { operationName, hasEditor } = useGraphiQL(({ operationName, queryEditor }) => ({
    operationName,
    hasEditor: Boolean(queryEditor),
  }))
  const content = useTabContent()
  const operationToRun = useRef<string | null>(null)
  useEffect(() => {
    if (!operationToRun.current || operationToRun.current !== operationName) return
    operationToRun.current = null
    void run()
  })
  return (linked: LinkedQuery, runAs?: string) => {
    if (!hasEditor) return
    if (content.read().query.trim()) addTab()
    content.write(linked)
    operationToRun.current = runAs ?? null
    if (runAs && runAs === operationName) {
      operationToRun.current = null
      void run()
    }
  }
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
      open(linked)
    }
    addEventListener('hashchange', openLink)
    return () => removeEventListener('hashchange', openLink)
  })
}
