import type { GraphiQLPlugin } from '@graphiql/react'
import { ListStart } from 'lucide-react'
import type { LinkedQuery } from '../../parts/query-link.ts'
import { useOpenTab } from '../editor-tabs.ts'
import { currentSession, hasAccess } from '../session.ts'
import { keylessStorage } from '../storage.ts'
import { type ReadyQuery, readyQueries } from './queries.ts'
import { SavedQueries } from './saved.tsx'

/** In narrower windows the list folds away when a query is opened, so that the editor gets half of the window. */
const wideEnough = 1_600

const title = 'Queries'
const foldedName = 'tributary:queries-folded'

export const isFolded = (): boolean => keylessStorage.getItem(foldedName) !== null

/** Remembers that the list was folded away. Another pane in its place is not that. */
export const rememberFolded = (visible: GraphiQLPlugin | null): void =>
  visible ? keylessStorage.removeItem(foldedName) : keylessStorage.setItem(foldedName, 'yes')

/** Only GraphiQL's own button gives the room to the editor. The focus goes there, because what had it is gone. */
function fold(): void {
  const button = document.querySelector<HTMLElement>(`.graphiql-sidebar [aria-label="Hide ${title}"]`)
  button?.click()
  // A focus that follows a pressed pointer opens no tooltip. It would cover the query that has just been opened.
  button?.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }))
  button?.focus()
  button?.dispatchEvent(new PointerEvent('pointerup', { bubbles: true }))
}

function Panel() {
  const openTab = useOpenTab()
  const open = (linked: LinkedQuery) => {
    // Without a key the query is opened but not run.
    openTab(linked, hasAccess(currentSession()))
    // On a narrow screen the result is below the queries.
    document.querySelector('.graphiql-response')?.scrollIntoView({ block: 'nearest' })
    if (innerWidth < wideEnough) fold()
  }
  const openReady = (ready: ReadyQuery) => {
    const variables = ready.variables(new Date(), Intl.DateTimeFormat().resolvedOptions().timeZone)
    open({
      query: ready.query,
      variables: Object.keys(variables).length > 0 ? JSON.stringify(variables, null, 2) : '',
    })
  }
  return (
    <div className="ready">
      <button type="button" className="fold" onClick={fold}>
        Hide the list
      </button>
      <SavedQueries onOpen={open} />
      <section aria-labelledby="ready-title">
        <h2 id="ready-title">Ready queries</h2>
        <ul>
          {readyQueries.map((ready) => (
            <li key={ready.title}>
              <button type="button" onClick={() => openReady(ready)}>
                {ready.title}
              </button>
            </li>
          ))}
        </ul>
      </section>
    </div>
  )
}

/** A GraphiQL plugin, next to the documentation explorer. */
export const readyPlugin: GraphiQLPlugin = { title, icon: ListStart, content: Panel }
