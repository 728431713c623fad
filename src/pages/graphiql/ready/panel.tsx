import type { GraphiQLPlugin } from '@graphiql/react'
import { useOpenTab } from '../editor-tabs.ts'
import { currentSession, hasAccess } from '../session.ts'
import { operationNameOf, type ReadyQuery, readyQueries } from './queries.ts'

function Panel() {
  const open = useOpenTab()
  const openReadyQuery = (ready: ReadyQuery) => {
    const variables = ready.variables(new Date(), Intl.DateTimeFormat().resolvedOptions().timeZone)
    const linked = {
      query: ready.query,
      variables: Object.keys(variables).length > 0 ? JSON.stringify(variables, null, 2) : '',
    }
    // Without a key the query is opened but not run.
    open(linked, hasAccess(currentSession()) ? operationNameOf(ready) : undefined)
    // On a narrow screen the result is below the queries.
    document.querySelector('.graphiql-response')?.scrollIntoView({ block: 'nearest' })
  }
  return (
    <section className="ready" aria-labelledby="ready-title">
      <h2 id="ready-title">Ready queries</h2>
      <ul>
        {readyQueries.map((ready) => (
          <li key={ready.title}>
            <button type="button" onClick={() => openReadyQuery(ready)}>
              {ready.title}
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}

const Icon = () => (
  <svg viewBox="0 0 20 20" fill="none" stroke="currentColor" strokeWidth="1.6" strokeLinecap="round" aria-hidden="true">
    <path d="M3 4.5h14M3 10h9M3 15.5h6" />
    <path d="m14 12 3.5 2.5L14 17z" fill="currentColor" strokeLinejoin="round" />
  </svg>
)

/** A GraphiQL plugin, next to the documentation explorer. */
export const readyPlugin: GraphiQLPlugin = { title: 'Ready queries', icon: Icon, content: Panel }
