import type { PayoutService, Prisma } from '../../generated/prisma/client.ts'
import type { PayoutServiceKind } from '../../generated/prisma/enums.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import { notFound, refused } from '../../kernel/errors.ts'
import { isId } from '../../kernel/ids.ts'
import { needsOneOf, parseInput } from '../../kernel/input/parse.ts'
import { namedPayoutServiceInput } from './input.ts'
import { kinds } from './kinds/all.ts'

export const nounOfService = 'Payout service'

const missing = { field: 'service', message: "Service can't be blank, unless the id is given" }

/** @throws NOT_FOUND; INVALID_INPUT */
export async function findNamedService(ctx: ProgramCtx, raw: unknown): Promise<PayoutService> {
  const { id, service } = await parseInput(namedPayoutServiceInput, raw, needsOneOf(['service', 'id'], missing))
  const where = { programId: ctx.program.id, ...(service && { service }), ...(id !== undefined && { id }) }
  const found = id === undefined || isId(id) ? await ctx.db.payoutService.findFirst({ where }) : null
  if (!found) throw notFound(nounOfService, id ?? (service as string).toUpperCase())
  return found
}

/**
 * Locks the row of a service until the transaction ends, before rows of runs: what its account is to send, and which
 * account it is, change one after the other. Null if it was disconnected.
 */
export async function lockService(
  tx: Prisma.TransactionClient,
  { programId, id }: Pick<PayoutService, 'programId' | 'id'>,
): Promise<PayoutService | null> {
  await tx.$queryRaw`
    select 1 from payout_services where program_id = ${programId}::uuid and id = ${id}::uuid for no key update`
  return tx.payoutService.findUnique({ where: { programId_id: { programId, id } } })
}

/** Whether nothing is sent by a service now: it is paused, or was disconnected. */
export async function isPaused(
  { db }: ProgramCtx,
  { programId, id }: Pick<PayoutService, 'programId' | 'id'>,
): Promise<boolean> {
  return (await db.payoutService.count({ where: { programId, id, pausedAt: null } })) === 0
}

/** @throws REFUSED */
export async function findConnected(ctx: ProgramCtx, service: PayoutServiceKind): Promise<PayoutService> {
  const found = await ctx.db.payoutService.findFirst({ where: { programId: ctx.program.id, service } })
  if (found) return found
  throw refused(
    `${kinds[service]?.name ?? service} is not connected. An owner connects it with connectPayoutService, or in Settings.`,
  )
}

export const listPayoutServices = ({ db, program }: ProgramCtx): Promise<PayoutService[]> =>
  db.payoutService.findMany({ where: { programId: program.id }, orderBy: { id: 'asc' } })
