import { useGraphiQL } from '@graphiql/react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import type { Result } from '../send.ts'
import { Chart } from './chart.tsx'
import { Downloads } from './downloads.tsx'
import { TableView } from './table-view.tsx'
import { findTables, type Sorting, sortRows } from './tables.ts'
import { type View, viewOf } from './view.ts'
import { ViewTabs } from './view-tabs.tsx'

/** What was chosen for a tab's result. It is of the tab, so that going to and fro between tabs keeps it. */
type Choice = { view?: View; table?: string; sorting?: Sorting }

/**
 * The result of the tab that is shown, as JSON, as a table or as a chart. GraphiQL shows the JSON itself; the bar that
 * chooses stands before it, for the order of reading and of the Tab key.
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
  const choose = (more: Choice) => setChoices((all) => ({ ...all, [id]: { ...all[id], ...more } }))
  const result = useMemo(() => parse(response), [response])
  const tables = useMemo(() => findTables(result?.data), [result])
  const table = tables.find(({ name }) => name === choice.table) ?? tables[0]
  const sorting = choice.sorting
  const sorted = useMemo(() => table && { ...table, rows: sortRows(table, sorting) }, [table, sorting])
  // What can not be shown so is shown as it is: an error is for reading.
  const view = choice.view ?? (result && !table ? 'json' : (viewOf(query) ?? 'json'))
  useEffect(() => showPanel(pane, view), [pane, view])
  return (
    <>
      <span ref={anchor} hidden />
      {pane &&
        createPortal(
          <>
            <div className="result-bar">
              <ViewTabs view={view} onChange={(next) => choose({ view: next })} />
              {view !== 'json' && tables.length > 1 && table && (
                <select
                  aria-label="List"
                  value={table.name}
                  onChange={(event) => choose({ table: event.target.value, sorting: undefined })}
                >
                  {tables.map(({ name, rows }) => (
                    <option key={name} value={name}>{`${name} (${rows.length})`}</option>
                  ))}
                </select>
              )}
              <Downloads table={sorted} response={result ? response : ''} />
            </div>
            {view !== 'json' && (
              <div className="view" role="tabpanel" id={`view-${view}`} aria-labelledby={`tab-${view}`}>
                <Problems result={result} />
                {!sorted || !table ? (
                  <Nothing hasResult={result !== null} isFetching={isFetching} />
                ) : view === 'table' ? (
                  <TableView table={sorted} sorting={sorting} onSort={(next) => choose({ sorting: next })} />
                ) : (
                  <Chart key={`${id} ${table.name}`} table={table} onTable={() => choose({ view: 'table' })} />
                )}
              </div>
            )}
          </>,
          pane,
        )}
    </>
  )
}

function Nothing({ hasResult, isFetching }: { hasResult: boolean; isFetching: boolean }) {
  const text = isFetching ? 'Asking …' : hasResult ? 'The result has no rows.' : 'Run a query to see its result.'
  return (
    <p className="nothing" role="status">
      {text}
    </p>
  )
}

function Problems({ result }: { result: Result | null }) {
  if (!result?.errors?.length) return null
  return (
    <ul className="problems" role="alert">
      {result.errors.map(({ message }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: errors have no names, and never change places
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

/** A place at the beginning of GraphiQL's pane for results, which has one for footers only. */
function usePane(anchor: React.RefObject<HTMLElement | null>): HTMLElement | null {
  const [pane, setPane] = useState<HTMLElement | null>(null)
  useEffect(() => {
    const response = anchor.current?.closest('.graphiql-response')
    if (!response) return
    const made = document.createElement('div')
    made.className = 'results'
    response.prepend(made)
    setPane(made)
    return () => made.remove()
  }, [anchor])
  return pane
}

/** GraphiQL's own editor is the panel of the JSON tab. */
function showPanel(pane: HTMLElement | null, view: View): void {
  const editor = pane?.parentElement?.querySelector('.result-window')
  pane?.parentElement?.setAttribute('data-view', view)
  editor?.setAttribute('id', 'view-json')
}
