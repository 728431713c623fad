import { X } from 'lucide-react'
import { useCallback, useEffect, useId, useState } from 'react'
import type { LinkedQuery } from '../../parts/query-link.ts'
import { useTabContent } from '../editor-tabs.ts'
import { showNotice } from '../notice.tsx'
import { createSendOperation, type Result } from '../send-operation.ts'
import { currentSession, type Session, useKeyState, useSession } from '../session.ts'

type SavedQuery = LinkedQuery & { name: string; author: string; mayChange: boolean; mutations: string[] }

const fields = '{ name query variables author mayChange mutations }'
const listing = `query SavedQueries { savedQueries ${fields} }`
const saving = 'mutation SaveQuery($input: SaveQueryInput!) { saveQuery(input: $input) { savedQuery { name } } }'
const deleting = `mutation DeleteSavedQuery($input: DeleteSavedQueryInput!) {
  deleteSavedQuery(input: $input) { savedQueries ${fields} }
}`

/** Sends an operation as the session. @throws Error with the message of the service */
async function ask<Data>(session: Session, query: string, variables: object = {}): Promise<Data> {
  const { data, errors } = (await createSendOperation(session, () => {})({ query, variables })) as Result
  const [first] = errors ?? []
  if (first) throw new Error(first.message)
  return data as Data
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

/** The queries that people of the program have saved, and a form that saves the one in the editor. */
export function SavedQueries({ onOpen }: { onOpen(linked: LinkedQuery): void }) {
  const session = useSession()
  const { kind } = useKeyState()
  const [queries, setQueries] = useState<SavedQuery[]>([])
  const isPerson = session.person !== undefined && session.programId !== ''
  const load = useCallback(async () => {
    const { savedQueries } = await ask<{ savedQueries: SavedQuery[] }>(session, listing)
    if (session === currentSession()) setQueries(savedQueries)
  }, [session])
  useEffect(() => {
    setQueries([])
    if (isPerson && kind === 'accepted') load().catch((error) => showNotice(messageOf(error)))
  }, [isPerson, kind, load])

  const remove = async (name: string) => {
    if (!confirm(`Delete "${name}" for everybody in the program?`)) return
    try {
      const { deleteSavedQuery } = await ask<{ deleteSavedQuery: { savedQueries: SavedQuery[] } }>(session, deleting, {
        input: { name },
      })
      setQueries(deleteSavedQuery.savedQueries)
      showNotice(`"${name}" deleted.`)
    } catch (error) {
      showNotice(messageOf(error))
    }
  }
  return (
    <section aria-labelledby="saved-title">
      <h2 id="saved-title">Saved queries</h2>
      {isPerson ? (
        <SaveForm session={session} onSaved={load} />
      ) : (
        <p>
          To save queries and share them within a program, open GraphiQL from the <a href="dashboard">dashboard</a>.
        </p>
      )}
      <ul>
        {queries.map(({ name, query, variables, author, mayChange, mutations }) => (
          <li key={name} className="saved">
            <button type="button" onClick={() => onOpen({ query, variables })}>
              {name}
              <span className="author"> by {author}</span>
              {mutations.length > 0 && <strong className="changes"> changes data: {mutations.join(', ')}</strong>}
            </button>
            {mayChange && (
              <button type="button" className="delete" aria-label={`Delete ${name}`} onClick={() => void remove(name)}>
                <X />
              </button>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

function SaveForm({ session, onSaved }: { session: Session; onSaved(): Promise<void> }) {
  const content = useTabContent()
  const [name, setName] = useState('')
  const id = useId()
  const save = async () => {
    const { query, variables } = content.read()
    if (!query.trim()) return showNotice('There is no query to save.')
    try {
      await ask(session, saving, { input: { name, query, ...(variables.trim() && { variables }) } })
      await onSaved()
      setName('')
      showNotice(`"${name}" saved. Everybody who can open the program sees it.`)
    } catch (error) {
      showNotice(messageOf(error))
    }
  }
  return (
    <form
      className="save"
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <label htmlFor={id}>Name of the query in the editor</label>
      <input id={id} value={name} required maxLength={100} onChange={({ target }) => setName(target.value)} />
      <button type="submit">Save</button>
    </form>
  )
}
