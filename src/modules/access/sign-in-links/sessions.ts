import { withTransaction } from '../../../database/client/transaction.ts'
import type { SsoRedemption } from '../../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../../kernel/context.ts'
import type { AppDb } from '../../../kernel/db.ts'
import { notFound, refused, unauthenticated } from '../../../kernel/errors.ts'
import { isId } from '../../../kernel/ids.ts'
import { parseInput, problem } from '../../../kernel/input/parse.ts'
import { endMySessionsInput } from './input.ts'

export type Session = Pick<SsoRedemption, 'address' | 'userAgent'> & {
  id: string
  programId: string
  affiliateId: string
  startedAt: Date
  endsAt: Date
}

/** @throws UNAUTHENTICATED if the session was ended */
export async function demandSession(
  db: AppDb,
  { programId, id }: { programId: string; id?: string | undefined },
  now: Date,
): Promise<void> {
  const found =
    id !== undefined && isId(id)
      ? await db.ssoRedemption.findUnique({ where: { programId_ticketId: { programId, ticketId: id } } })
      : null
  if (!found?.sessionEndsAt || found.sessionEndsAt <= now)
    throw unauthenticated('This session has ended. Sign in again.')
}

/** Of a page of affiliates. Sessions last a day. */
const mostSessions = 1_000

/** For each affiliate, the open sessions of the portal, the newest first. @param ctx with the true time */
export async function sessionsOf({ db, program, now }: ProgramCtx, ids: readonly string[]): Promise<Session[][]> {
  const rows = await db.ssoRedemption.findMany({
    where: { programId: program.id, affiliateId: { in: [...ids] }, sessionEndsAt: { gt: now() } },
    orderBy: { startedAt: 'desc' },
    take: mostSessions,
  })
  return ids.map((affiliateId) =>
    rows.flatMap(
      ({ ticketId: id, programId, address, userAgent, startedAt, sessionEndsAt: endsAt, affiliateId: of }) =>
        of === affiliateId && startedAt && endsAt
          ? [{ id, programId, affiliateId, address, userAgent, startedAt, endsAt }]
          : [],
    ),
  )
}

/** Ends a session of the portal. @param ctx with the true time */
export const endSession = (
  { db, now }: Pick<ProgramCtx, 'now'> & { db: AppDb },
  { program, affiliateId, sessionId }: Pick<ProgramCtx, 'program'> & { affiliateId: string; sessionId: string },
): Promise<number> => end({ db, now, program, affiliateId }, { ticketId: sessionId })

type OwnCtx = ProgramCtx & { affiliateId: string; sessionId: string | undefined }

/**
 * Ends one session, by default the present one, or all others. @returns how many
 * @throws INVALID_INPUT; NOT_FOUND; REFUSED if a token without a session is to end its own
 */
export async function endSessions(ctx: OwnCtx, raw: unknown): Promise<number> {
  const { id = ctx.sessionId, keepCurrent = false } = await parseInput(
    endMySessionsInput,
    raw,
    ({ id, keepCurrent }) =>
      id !== undefined && keepCurrent === true ? [problem('keepCurrent', "can't be combined with id")] : [],
  )
  if (keepCurrent) return end(ctx, ctx.sessionId === undefined ? {} : { ticketId: { not: ctx.sessionId } })
  if (id === undefined) throw refused('This token has no session: it ends by itself.')
  const count = isId(id) ? await end(ctx, { ticketId: id }) : 0
  if (count === 0) throw notFound('Session', id)
  return count
}

type EndCtx = Pick<ProgramCtx, 'now' | 'program'> & { db: AppDb; affiliateId: string }

const end = (ctx: EndCtx, which: { ticketId?: string | { not: string } }): Promise<number> =>
  withTransaction(ctx.db, async (tx) => {
    const now = ctx.now()
    const { program, affiliateId } = ctx
    const where = { programId: program.id, affiliateId, sessionEndsAt: { gt: now }, ...which }
    return (await tx.ssoRedemption.updateMany({ where, data: { sessionEndsAt: now } })).count
  })
