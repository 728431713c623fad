import { useGraphiQL } from '@graphiql/react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { findTables, type Sorting, sortRows } from '../../parts/result/tables.ts'
import type { Result } from '../send-operation.ts'
import { Chart } from './chart.tsx'
import { Downloads } from './downloads.tsx'
import { MaximiseButton } from './maximise-button.tsx'
import { PageNote } from './page-note.tsx'
import { TableView } from './table-view.tsx'
import { usePaging } from './use-paging.ts'
import { type View, viewOf } from './view.ts'
import { ViewTabs } from './view-tabs.tsx'

/** The user's choices for a tab's result. They are kept while another tab is active. */
type Choice = { view?: View; table?: string; sorting?: Sorting }

/**
 * The result of the active tab, as JSON, as a table or as a chart. GraphiQL shows the JSON itself. The bar with the
 * choices is placed before it, so that it comes first in the reading and tab order.
 */
export function Results() {
  const anchor = useRef<HTMLSpanElement>(null)
  const pane = usePane(anchor)
  const { id, query, response, isFetching } = useGraphiQL(({ tabs, activeTabIndex, isFetching }) => {
    const tab = tabs[activeTabIndex]
    return { id: tab?.id ?? '', query: tab?.query ?? '', response: tab?.response ?? '', isFetching }
  })
  const [choices, setChoices] = useState<Record<string, Choice>>({})
  const choice = choices[id] ?? {}
  const updateChoice = (changes: Choice) => setChoices((all) => ({ ...all, [id]: { ...all[id], ...changes } }))
  const result = useMemo(() => parse(response), [response])
  const tables = useMemo(() => findTables(result?.data), [result])
  const ofResponse = tables.find(({ name }) => name === choice.table) ?? tables[0]
  const { data, paging } = usePaging(id, response, result?.data, ofResponse)
  const table = useMemo(() => {
    const own = data === result?.data ? ofResponse : findTables(data).find(({ name }) => name === ofResponse?.name)
    return own && { ...own, total: paging.total }
  }, [data, result, ofResponse, paging.total])
  const sorting = choice.sorting
  const sorted = useMemo(() => table && { ...table, rows: sortRows(table, sorting) }, [table, sorting])
  // Errors have no table, so they are shown as JSON.
  const view = choice.view ?? (result && !table ? 'json' : (viewOf(query) ?? 'json'))
  useEffect(() => showPanel(pane, view), [pane, view])
  return (
    <>
      <span ref={anchor} hidden />
      {pane &&
        createPortal(
          <>
            <div className="result-bar">
              <ViewTabs view={view} onChange={(next) => updateChoice({ view: next })} />
              {view !== 'json' && tables.length > 1 && table && (
                <select
                  aria-label="List"
                  value={table.name}
                  onChange={(event) => updateChoice({ table: event.target.value, sorting: undefined })}
                >
                  {tables.map(({ name, rows }) => (
                    <option key={name} value={name}>{`${name} (${rows.length})`}</option>
                  ))}
                </select>
              )}
              <Downloads table={sorted} response={result ? response : ''}>
                <MaximiseButton pane={pane} />
              </Downloads>
            </div>
            {table && <PageNote rows={table.rows.length} paging={paging} />}
            {view !== 'json' && (
              <div className="view" role="tabpanel" id={`view-${view}`} aria-labelledby={`tab-${view}`}>
                <Errors result={result} />
                {!sorted || !table ? (
                  <EmptyResult hasResult={result !== null} isFetching={isFetching} />
                ) : view === 'table' ? (
                  <TableView table={sorted} sorting={sorting} onSort={(next) => updateChoice({ sorting: next })} />
                ) : (
                  <Chart key={`${id} ${table.name}`} table={table} onTable={() => updateChoice({ view: 'table' })} />
                )}
              </div>
            )}
          </>,
          pane,
        )}
    </>
  )
}

function EmptyResult({ hasResult, isFetching }: { hasResult: boolean; isFetching: boolean }) {
  const text = isFetching ? 'Loading …' : hasResult ? 'The result has no rows.' : 'Run a query to see its result.'
  return (
    <p className="nothing" role="status">
      {text}
    </p>
  )
}

function Errors({ result }: { result: Result | null }) {
  if (!result?.errors?.length) return null
  return (
    <ul className="problems" role="alert">
      {result.errors.map(({ message }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: errors have no ids and their order never changes
        <li key={index}>{message}</li>
      ))}
    </ul>
  )
}

function parse(response: string): Result | null {
  try {
    return JSON.parse(response)
  } catch {
    return null
  }
}

/** Creates an element at the top of GraphiQL's result pane. GraphiQL itself has a slot only at the bottom. */
function usePane(anchor: React.RefObject<HTMLElement | null>): HTMLElement | null {
  const [pane, setPane] = useState<HTMLElement | null>(null)
  useEffect(() => {
    const response = anchor.current?.closest('.graphiql-response')
    if (!response) return
    const element = document.createElement('div')
    element.className = 'results'
    response.prepend(element)
    setPane(element)
    return () => element.remove()
  }, [anchor])
  return pane
}

/** GraphiQL's own result editor is the panel of the JSON tab. */
function showPanel(pane: HTMLElement | null, view: View): void {
  const editor = pane?.parentElement?.querySelector('.result-window')
  pane?.parentElement?.setAttribute('data-view', view)
  editor?.setAttribute('id', 'view-json')
}
