import { useContext, useState } from 'react'
import {
  EndMySessionsDocument,
  type EndMySessionsInput,
  SessionsDocument,
  type SessionsQuery,
} from '../../generated/portal/graphql.ts'
import { Day } from '../parts/format.tsx'
import { FailureNotice } from './failure-notice.tsx'
import { QueryError } from './query.ts'
import { texts } from './texts.ts'
import { QueryContext, useQuery } from './use-query.ts'
import { ViewOnly } from './view-only.tsx'

type Session = SessionsQuery['me']['sessions'][number]

const browsers = ['Firefox', 'Edg', 'OPR', 'Chrome', 'Safari']
const systems = ['Android', 'iPhone', 'iPad', 'Windows', 'Mac OS', 'Linux']

/** "Chrome, Linux" of what a browser calls itself, or all of it. */
function agentOf({ userAgent }: Session): string {
  const known = [browsers, systems].flatMap((names) => names.find((name) => userAgent?.includes(name)) ?? [])
  return known.length > 0 ? known.join(', ') : (userAgent ?? '–')
}

/** Where the affiliate is signed in. A page of the company has a token without a session: nothing is shown then. */
export function Sessions() {
  const words = texts.sessions
  const runQuery = useContext(QueryContext)
  const isViewOnly = useContext(ViewOnly)
  const [status, setStatus] = useState('')
  const { data, failure, retry } = useQuery(SessionsDocument, {})
  const sessions = data?.me.sessions ?? []
  async function end(input: EndMySessionsInput) {
    try {
      await runQuery(EndMySessionsDocument, { input })
      setStatus(words.ended)
      retry()
    } catch (error) {
      setStatus(texts.failures[error instanceof QueryError ? error.failure : 'rejected'])
    }
  }
  if (failure) return <FailureNotice failure={failure} onRetry={retry} />
  if (sessions.length === 0 || isViewOnly) return null
  return (
    <section aria-labelledby="sessions">
      <h2 id="sessions">{words.title}</h2>
      <ul className="links">
        {sessions.map((session) => (
          <li key={session.id} className="copyable">
            <p>
              {agentOf(session)} · {session.address ?? '–'} · <Day at={session.startedAt} />
            </p>
            {session.isCurrent ? (
              <p className="quiet">{words.current}</p>
            ) : (
              <button type="button" onClick={() => end({ id: session.id })}>
                {words.end}
                <span className="unseen"> {agentOf(session)}</span>
              </button>
            )}
          </li>
        ))}
      </ul>
      {sessions.some(({ isCurrent }) => !isCurrent) && (
        <button type="button" className="end-others" onClick={() => end({ keepCurrent: true })}>
          {words.endOthers}
        </button>
      )}
      {/* Always rendered: screen readers announce changes only in an element that exists already. */}
      <p role="status" className="copy-status">
        {status}
      </p>
    </section>
  )
}
