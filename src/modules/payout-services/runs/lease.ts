import { randomUUID } from 'node:crypto'
import { statement } from '../../../database/client/sql.ts'
import type { ProgramCtx } from '../../../kernel/context.ts'
import { refused } from '../../../kernel/errors.ts'
import type { ServiceSettings } from '../settings.ts'

/** More than a call of a service and its two transactions take. */
const leaseMs = 60_000

const take = statement<{ id: string }>(`
  update payout_runs set lease = $3::uuid, lease_ends_at = $4::timestamptz
  where program_id = $1::uuid and id = $2::uuid and (lease is null or lease = $3::uuid or lease_ends_at <= $5::timestamptz)
  returning id::text`)
const free = statement(`
  update payout_runs set lease = null, lease_ends_at = null
  where program_id = $1::uuid and id = $2::uuid and lease = $3::uuid`)

export type Lease = {
  /** Call it before each step that calls the service. @throws REFUSED if another one has taken over */
  extend(): Promise<void>
}

/**
 * Hands a run over, or asks for it, as the only one among requests and instances. If it dies, another one may after a
 * minute. @throws REFUSED while another one works on the run
 */
export async function withLease<T>(
  { db, program }: ProgramCtx,
  { now }: ServiceSettings,
  runId: string,
  work: (lease: Lease) => Promise<T>,
): Promise<T> {
  const lease = randomUUID()
  const extend = async () => {
    const at = now()
    const taken = await db.sql.query(take, [program.id, runId, lease, new Date(at.getTime() + leaseMs), at])
    if (taken.length === 0)
      throw refused('The run is being handed over or asked for at this moment. Try again shortly.')
  }
  await extend()
  try {
    return await work({ extend })
  } finally {
    await db.sql.query(free, [program.id, runId, lease]).catch(() => undefined)
  }
}
