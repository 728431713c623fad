import type { GraphiQLPlugin } from '@graphiql/react'
import { useOpenTab } from '../editors.ts'
import { currentSession } from '../session.ts'
import { nameOf, type ReadyQuery, readyQueries } from './queries.ts'

function Panel() {
  const open = useOpenTab()
  const choose = (ready: ReadyQuery) => {
    const variables = ready.variables(new Date(), Intl.DateTimeFormat().resolvedOptions().timeZone)
    const linked = {
      query: ready.query,
      variables: Object.keys(variables).length > 0 ? JSON.stringify(variables, null, 2) : '',
    }
    // Without a key there is nothing to run; the query can be read all the same.
    open(linked, currentSession().key ? nameOf(ready) : undefined)
    // On a narrow screen the result is further down.
    document.querySelector('.graphiql-response')?.scrollIntoView({ block: 'nearest' })
  }
  return (
    <section className="ready" aria-labelledby="ready-title">
      <h2 id="ready-title">Ready queries</h2>
      <ul>
        {readyQueries.map((ready) => (
          <li key={ready.title}>
            <button type="button" onClick={() => choose(ready)}>
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

/** A pane of GraphiQL's own, beside the documentation. */
export const readyPlugin: GraphiQLPlugin = { title: 'Ready queries', icon: Icon, content: Panel }
