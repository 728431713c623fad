import { jsonAnswer } from '../../http/answer.ts'
import type { BodyBudget } from '../../http/incoming.ts'
import { methodNotAllowed } from '../../http/methods.ts'
import type { AppDb } from '../../kernel/db.ts'
import { isId, ownCase } from '../../kernel/ids.ts'
import { findFeedOfAddress, receiveEvent } from '../../modules/feeds/receive.ts'
import type { Handler } from '../handler.ts'

type Options = {
  db: AppDb
  /** The true time. */
  now: () => Date
  key: Buffer
  bodies: BodyBudget
  /** Called when an event was stored. */
  onStored: () => void
}

/** `/feeds/{id}`: stores the events that billing systems send. What they lead to is derived in the background. */
export const createFeedEndpoint =
  ({ db, now, key, bodies, onStored }: Options): Handler =>
  async (incoming, state) => {
    const id = ownCase(incoming.path.replace(/^\/feeds\//, '').replace(/\/$/, ''))
    const feed = isId(id) ? await findFeedOfAddress(db, id) : null
    if (!feed) return null
    state.known.programId = feed.programId
    state.known.operation = `feed ${feed.kind}`
    if (incoming.method !== 'POST') return methodNotAllowed('POST')
    state.release = bodies.reserve(incoming)
    const body = await incoming.body()
    const signed = { body, header: (name: string) => incoming.header(name) }
    const received = await receiveEvent({ db, now, key }, feed, signed)
    const { status, note } = received
    const feedId = feed.id
    if (note !== null)
      state.log.warn({ feedId, programId: feed.programId, status, reason: note }, 'feed event not used')
    if (status !== 200) return jsonAnswer({ error: note }, status)
    if (!received.duplicate) onStored()
    return jsonAnswer({ received: true, duplicate: received.duplicate })
  }
