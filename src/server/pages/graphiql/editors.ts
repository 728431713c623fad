import { useGraphiQL, useGraphiQLActions } from '@graphiql/react'
import { useEffect, useRef } from 'react'
import { type Linked, readLink } from './link.ts'

/** What stands in the editors of the tab that is shown. */
export function useEditors() {
  const { queryEditor, variableEditor } = useGraphiQL(({ queryEditor, variableEditor }) => ({
    queryEditor,
    variableEditor,
  }))
  return {
    read: (): Linked => ({ query: queryEditor?.getValue() ?? '', variables: variableEditor?.getValue() ?? '' }),
    write({ query, variables }: Linked) {
      queryEditor?.setValue(query)
      variableEditor?.setValue(variables)
    },
  }
}

/**
 * Opens a query in a tab of its own, or in the one that is shown where that is empty.
 *
 * @returns `open`; with the operation's name the query is also run, as soon as the editor knows it by that name
 */
export function useOpenTab() {
  const { addTab, run } = useGraphiQLActions()
  const { operationName, hasEditor } = useGraphiQL(({ operationName, queryEditor }) => ({
    operationName,
    hasEditor: Boolean(queryEditor),
  }))
  const editors = useEditors()
  const awaited = useRef<string | null>(null)
  useEffect(() => {
    if (!awaited.current || awaited.current !== operationName) return
    awaited.current = null
    void run()
  })
  return (linked: Linked, runAs?: string) => {
    if (!hasEditor) return
    if (editors.read().query.trim()) addTab()
    editors.write(linked)
    awaited.current = runAs ?? null
    if (runAs && runAs === operationName) {
      awaited.current = null
      void run()
    }
  }
}

let tabLeaves = false

/**
 * Long lines are wrapped, and Tab leaves an editor instead of indenting in it: who has no mouse must be able to get out again. Monaco has one switch for
 * all its editors, which Ctrl-M turns back.
 */
export function useEditorManners(): void {
  const { queryEditor, variableEditor, responseEditor } = useGraphiQL((state) => ({
    queryEditor: state.queryEditor,
    variableEditor: state.variableEditor,
    responseEditor: state.responseEditor,
  }))
  useEffect(() => {
    for (const editor of [queryEditor, variableEditor, responseEditor])
      editor?.updateOptions({ wordWrap: 'on', fontSize: 13, lineHeight: 20 })
  }, [queryEditor, variableEditor, responseEditor])
  useEffect(() => {
    if (!queryEditor || tabLeaves) return
    tabLeaves = true
    queryEditor.trigger('page', 'editor.action.toggleTabFocusMode', null)
  }, [queryEditor])
}

/** A tab that is opened at the end of many is seen. */
export function useTabInSight(): void {
  const activeTabIndex = useGraphiQL((state) => state.activeTabIndex)
  // biome-ignore lint/correctness/useExhaustiveDependencies: which one it is tells when to look for it
  useEffect(() => {
    document.querySelector('.graphiql-tab-active')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [activeTabIndex])
}

/** A link that is followed while the page is open, by pasting it for example, opens a tab as well. */
export function useLinksOnTheWay(): void {
  const open = useOpenTab()
  useEffect(() => {
    const follow = async () => {
      const linked = await readLink(location.hash)
      if (!linked) return
      history.replaceState(null, '', location.pathname + location.search)
      open(linked)
    }
    addEventListener('hashchange', follow)
    return () => removeEventListener('hashchange', follow)
  })
}
