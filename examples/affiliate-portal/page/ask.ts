import type { TypedDocumentString } from './generated/graphql.ts'

/** Why there is no answer: nobody is logged in any more, no access, nothing answers, or the question was refused. */
export type Trouble = 'over' | 'disabled' | 'gone' | 'refused'
export class PortalError extends Error {
  constructor(readonly trouble: Trouble) {
    super(trouble)
  }
}

type Session = { token: string; endpoint: string }
/** In this variable alone: a token is in no storage and no address. */
let session: Promise<Session> | undefined

/** Asks the service with the affiliate's token; one that is over is renewed. @throws PortalError */
export async function ask<Data, Variables>(
  document: TypedDocumentString<Data, Variables>,
  variables: Variables,
): Promise<Data> {
  const body = JSON.stringify({ query: document.toString(), variables })
  const send = async (opened: Promise<Session>) => {
    const { token, endpoint } = await opened
    return post(endpoint, { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }, body)
  }
  session ??= openSession()
  const used = session
  let response = await send(used)
  if (response.status === 401) {
    // Several questions may hear at once that the token is over: the first of them asks for another.
    if (session === used) session = openSession()
    response = await send(session ?? openSession())
  }
  if (response.status === 401) throw new PortalError('over')
  const answer = (await response.json().catch(() => ({}))) as { data?: Data; errors?: object[] }
  if (answer.errors || !answer.data) throw new PortalError(response.status >= 500 ? 'gone' : 'refused')
  return answer.data
}

/** A failed one is forgotten, so that the next question tries again. */
function openSession(): Promise<Session> {
  const opening = post('/token').then((response): Promise<Session> => {
    if (response.ok) return response.json()
    throw new PortalError(response.status === 401 ? 'over' : response.status === 403 ? 'disabled' : 'gone')
  })
  opening.catch(() => {
    if (session === opening) session = undefined
  })
  return opening
}

const post = (url: string, headers: Record<string, string> = {}, body?: string): Promise<Response> =>
  fetch(url, { method: 'POST', headers, body }).catch(() => {
    throw new PortalError('gone')
  })
