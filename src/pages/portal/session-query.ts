import { QueryError, type RunQuery, sendQuery } from './query.ts'
import { currentView, endSession } from './session.ts'

/** Runs an operation with the token of the session. A 401 ends the session. */
export const queryWithSession: RunQuery = async (operation, variables) => {
  const view = currentView()
  const token = view.state === 'signed-in' ? view.token : ''
  try {
    return await sendQuery('graphql', token, operation, variables)
  } catch (error) {
    const failure = error instanceof QueryError ? error.failure : undefined
    const isOver = failure === 'unauthorized' || failure === 'disabled'
    const now = currentView()
    // Several queries can get a 401. Only the first one ends the session, and never a session that started since.
    if (isOver && now.state === 'signed-in' && now.token === token)
      endSession(failure === 'disabled' ? 'disabled' : 'expired')
    throw error
  }
}
