import type { Logger } from 'pino'
import type { PrismaClient } from '../../generated/prisma/client.ts'
import type { Ctx, ProgramCtx } from '../../kernel/context.ts'
import { derivedId, mintId } from '../../kernel/ids.ts'
import { parseInput } from '../../kernel/input/parse.ts'
import { tokenKey } from '../../kernel/link-tokens.ts'
import { clockOf } from '../programs/clock.ts'
import type { ConversionState } from '../referrals/input.ts'
import { conversionState } from '../referrals/progress.ts'
import { findReferral, recordLead } from '../referrals/service.ts'
import { createVisitCounter, type VisitCounter } from './count.ts'
import { pageOf, takeOverInput, trackLeadInput, trackVisitInput } from './input.ts'
import { createRecorder, type Recorded, type Recorder } from './record.ts'
import { createSalts, hashVisitor, type Salts, sign, type Visitor } from './visitor.ts'

const hourMs = 3_600_000

/** What tracking keeps in memory: clicks that wait to be written, and the salts of the day. One for each database. */
export type Tracker = { record: Recorder; counter: VisitCounter; salts: Salts; flush(now: Date): Promise<void> }

export function createTracker(db: PrismaClient, log: Logger): Tracker {
  const counter = createVisitCounter(db, log)
  const salts = createSalts(db)
  return {
    record: createRecorder(db),
    counter,
    salts,
    async flush(now) {
      await counter.flush()
      await salts
        .sweep(now)
        .catch((error: unknown) => log.warn({ err: error }, 'Old salts could not be removed; they are removed later.'))
    },
  }
}

/**
 * Records that a browser came through an affiliate's link, and makes the referral: it is on disk when this answers, its
 * counters follow within a second. The same visitor through the same link within an hour gets the referral of the
 * first time, and nothing is written; who is the same visitor is known until midnight, UTC.
 *
 * @throws INVALID_INPUT; UNAVAILABLE where clicks come faster than the database takes them
 */
export async function trackVisit(
  ctx: ProgramCtx,
  { record, counter, salts }: Tracker,
  visitor: Visitor,
  raw: unknown,
): Promise<Recorded> {
  const input = await parseInput(trackVisitInput, raw)
  const programId = ctx.program.id
  const at = ctx.now()
  const salt = await salts.of(programId, at)
  const key = tokenKey(input.token)
  const visitorHash = hashVisitor(salt, { ...visitor, id: input.visitor })
  const idInHourOf = (time: number) => {
    const hour = Math.floor(time / hourMs) * hourMs
    return derivedId(new Date(hour), sign(salt, ['visit', visitorHash, key, hour]))
  }
  const recorded = await record({
    programId,
    tokenKey: key,
    visitId: idInHourOf(at.getTime()),
    earlierVisitId: idInHourOf(at.getTime() - hourMs),
    referralId: mintId(at),
    visitorHash,
    url: pageOf(input.url),
    referrer: pageOf(input.referrer),
    at,
  })
  if (recorded.referral?.isNew) counter.note()
  return recorded
}

/** The link that a token names, as a click that is not recorded finds it. */
export async function findClicked(
  ctx: ProgramCtx,
  token: string,
): Promise<(Recorded['link'] & { isActive: boolean }) | null> {
  const input = trackVisitInput.shape.token.safeParse(token)
  if (!input.success) return null
  const link = await ctx.db.affiliateLink.findUnique({
    where: { programId_tokenKey: { programId: ctx.program.id, tokenKey: tokenKey(input.data) } },
    include: { affiliate: { include: { campaign: true } } },
  })
  if (!link) return null
  return { token: link.token, url: link.affiliate.campaign.url, isActive: link.affiliate.state === 'active' }
}

/** The referral that a browser brings along from another domain. Nothing is recorded. @throws NOT_FOUND */
export async function takeOverReferral(ctx: ProgramCtx, raw: unknown): Promise<{ id: string; expiresAt: Date }> {
  const { referralId } = await parseInput(takeOverInput, raw)
  return findReferral(ctx, referralId)
}

/**
 * Records that a referral's visitor said who they are, in their browser.
 *
 * @throws INVALID_INPUT; NOT_FOUND; REFUSED where the affiliate is not active or the referral has expired
 */
export async function trackLead(ctx: ProgramCtx, raw: unknown): Promise<{ id: string; state: ConversionState }> {
  const input = await parseInput(trackLeadInput, raw)
  const { id } = await recordLead(ctx, input)
  return { id, state: conversionState(await findReferral(ctx, id)) }
}

/**
 * Tracking has no key of a program: it acts as the service itself, at the program's clock.
 *
 * @param ctx its clock is the true one
 */
export const trackingCtx = (ctx: Omit<Ctx, 'actor'>, program: ProgramCtx['program']): ProgramCtx => ({
  ...ctx,
  now: clockOf(program, ctx.now),
  actor: { kind: 'system' },
  program,
})
