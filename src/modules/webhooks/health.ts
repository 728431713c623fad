import { withTransaction } from '../../database/client/transaction.ts'
import type { WebhookEndpoint } from '../../generated/prisma/client.ts'
import type { WebhookDisabledReason } from '../../generated/prisma/enums.ts'
import type { AppDb } from '../../kernel/db.ts'
import { eventsOf, recordEvents } from '../events/record.ts'
import { type Recorder, recordChange } from '../history/record.ts'
import type { Outcome } from './claim.ts'
import { givesUpAfterMs } from './schedule.ts'

const byClock = (programId: string): Recorder => ({
  program: { id: programId },
  actor: { kind: 'system' },
  requestId: 'webhooks',
})

const firstTryWithinMs = 60_000

/** What the outcomes of tries say about an endpoint: that it works, fails since a time, or has to be disabled. */
type Finding = { endpoint: WebhookEndpoint; failingSince: Date | null; disabledReason: WebhookDisabledReason | null }

/** @param outcomes of one endpoint, in any order */
export function examineEndpoint(outcomes: readonly Outcome[], now: Date): Finding | null {
  const [first] = outcomes
  if (!first) return null
  const { endpoint } = first.claimed
  if (outcomes.some(({ tried }) => tried.status === 410)) return { endpoint, failingSince: now, disabledReason: 'gone' }
  const hasSuccess = outcomes.some(({ state }) => state === 'succeeded')
  if (hasSuccess) return endpoint.failingSince === null ? null : { endpoint, failingSince: null, disabledReason: null }
  const since = endpoint.failingSince ?? now
  // The last try of a delivery is three days after it was created, and its first one a moment later.
  const isOver = now.getTime() - since.getTime() >= givesUpAfterMs - firstTryWithinMs
  if (endpoint.failingSince !== null && !isOver) return null
  return { endpoint, failingSince: since, disabledReason: isOver ? 'failing' : null }
}

/** Stores what was found. Returns whether the endpoint was disabled by this call. */
export async function storeFinding(
  db: AppDb,
  { endpoint: { programId, id }, failingSince, disabledReason }: Finding,
  now: Date,
): Promise<boolean> {
  const where = { programId, id, disabledAt: null }
  if (!disabledReason) {
    // The first failure of several instances counts.
    const changes = failingSince === null ? where : { ...where, failingSince: null }
    await db.webhookEndpoint.updateMany({ where: changes, data: { failingSince } })
    return false
  }
  return disableEndpoint(db, byClock(programId), id, disabledReason, now)
}

/** Disables an endpoint and records the event. Returns whether it was enabled. Deliveries wait. */
export function disableEndpoint(
  db: AppDb,
  recorder: Recorder,
  id: string,
  disabledReason: WebhookDisabledReason,
  now: Date,
): Promise<boolean> {
  const programId = recorder.program.id
  return withTransaction(db, async (tx) => {
    const { count } = await tx.webhookEndpoint.updateMany({
      where: { programId, id, disabledAt: null },
      data: { disabledAt: now, disabledReason, updatedAt: now },
    })
    if (count > 0) {
      const what = { subject: 'webhook_endpoint', subjectId: id, action: 'disabled' } as const
      await recordChange(tx, recorder, what, null, { disabledAt: now, disabledReason }, now)
      await recordEvents(tx, recorder, eventsOf(id, ['tributary.webhook_endpoint.disabled']), now)
    }
    return count > 0
  })
}
