import type { Prisma } from '../../../generated/prisma/client.ts'
import { notFound } from '../../../kernel/errors.ts'
import type { Recorder } from '../../history/record.ts'
import { addMembers, type Joining } from './members.ts'

type Tx = Prisma.TransactionClient

/** Keeps groups from being deleted until the transaction ends. @throws NOT_FOUND if one was deleted meanwhile */
export async function holdGroups(tx: Tx, programId: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const held = await tx.$queryRaw<{ id: string }[]>`
    select id from affiliate_groups where program_id = ${programId}::uuid and id = any(${[...ids]}::uuid[])
    order by id for share`
  const missing = ids.find((id) => !held.some((group) => group.id === id))
  if (missing !== undefined) throw notFound('Affiliate group', missing)
}

/** Adds affiliates to groups from now on, unless a group was deleted meanwhile. */
export async function joinGroups(tx: Tx, ctx: Recorder, joining: readonly Joining[], now: Date): Promise<void> {
  await holdGroups(tx, ctx.program.id, [...new Set(joining.map(({ groupId }) => groupId))])
  await addMembers(tx, ctx, joining, now)
}
