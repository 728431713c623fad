import type { TypedDocumentString } from '../../../generated/portal/graphql.ts'
import { currentView, leave } from './session.ts'

/** Why there is no answer: nothing answers, or the question was refused. */
export type Trouble = 'unreachable' | 'refused'

export class AskError extends Error {
  constructor(readonly trouble: Trouble) {
    super(trouble)
  }
}

/**
 * Asks the service with the affiliate's token. Where the session is over the page says so, and nobody needs an answer any
 * more.
 *
 * @throws AskError
 */
export async function ask<Data, Variables>(
  document: TypedDocumentString<Data, Variables>,
  variables: Variables,
): Promise<Data> {
  const view = currentView()
  const token = view.is === 'in' ? view.token : ''
  const response = await fetch('graphql', {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ query: document.toString(), variables }),
  }).catch(() => {
    throw new AskError('unreachable')
  })
  if (response.status === 401) {
    const now = currentView()
    // Of several questions the first to hear it says it; somebody else may have signed in meanwhile.
    if (now.is === 'in' && now.token === token) leave('over')
    throw new AskError('refused')
  }
  const answer = (await response.json().catch(() => ({}))) as { data?: Data; errors?: object[] }
  if (answer.errors || !answer.data) throw new AskError(response.status >= 500 ? 'unreachable' : 'refused')
  return answer.data
}
