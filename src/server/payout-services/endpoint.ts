import { randomUUID } from 'node:crypto'
import { jsonAnswer } from '../../http/answer.ts'
import type { BodyBudget } from '../../http/incoming.ts'
import { methodNotAllowed } from '../../http/methods.ts'
import type { AppDb } from '../../kernel/db.ts'
import { isId, ownCase } from '../../kernel/ids.ts'
import type { PublicUrl } from '../../kernel/public-url.ts'
import { findServiceOfAddress, receiveNotice } from '../../modules/payout-services/notices.ts'
import type { ServiceSettings } from '../../modules/payout-services/settings.ts'
import { clockOf } from '../../modules/programs/clock.ts'
import type { Handler } from '../handler.ts'

type Options = {
  db: AppDb
  settings: ServiceSettings
  publicUrl: PublicUrl
  bodies: BodyBudget
}

/** `/payout-services/{id}`: takes what a service says of payments by itself. */
export const createPayoutServiceEndpoint =
  ({ db, settings, publicUrl, bodies }: Options): Handler =>
  async (incoming, state) => {
    const id = ownCase(incoming.path.replace(/^\/payout-services\//, '').replace(/\/$/, ''))
    const row = isId(id) ? await findServiceOfAddress(db, id) : null
    if (!row) return null
    state.known.programId = row.programId
    state.known.operation = `payout service ${row.service}`
    if (incoming.method !== 'POST') return methodNotAllowed('POST')
    state.release = bodies.reserve(incoming)
    const body = await incoming.body()
    const program = await db.program.findUniqueOrThrow({ where: { id: row.programId } })
    const ctx = {
      db: db.ofProgram(program.id),
      now: clockOf(program, settings.now),
      log: state.log,
      actor: { kind: 'system' as const },
      program,
      requestId: randomUUID(),
      affiliateUrl: publicUrl(program),
      webhooks: { key: settings.key },
    }
    const notice = { body, header: (name: string) => incoming.header(name) }
    const { status, note } = await receiveNotice(ctx, settings, row, notice)
    if (note !== null) state.log.warn({ programId: program.id, status, reason: note }, 'notice of a payout service')
    return status === 200 ? jsonAnswer({ received: true }) : jsonAnswer({ error: note }, status)
  }
