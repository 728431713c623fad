import type { Logger } from 'pino'
import type { Ctx, ProgramCtx } from '../../kernel/context.ts'
import type { AppDb } from '../../kernel/db.ts'
import { derivedId, mintId } from '../../kernel/ids.ts'
import { parseInput } from '../../kernel/input/parse.ts'
import { findLinkByToken } from '../affiliates/links/service.ts'
import { subIdIn } from '../affiliates/links/sub-id.ts'
import { tokensInAddress } from '../affiliates/tokens-in-address.ts'
import { clockOf } from '../programs/clock.ts'
import type { ConversionState } from '../referrals/input.ts'
import { findReferral, recordLead } from '../referrals/service.ts'
import { type ClickRecorder, createClickRecorder, type RecordedClick } from './click-recorder.ts'
import { pageOf, takeOverInput, trackLeadInput, trackVisitInput } from './input.ts'
import { createVisitorCounter, type VisitorCounter } from './visitor-counter.ts'
import { createSalts, hashVisitor, type Salts, sign, type Visitor } from './visitor-hash.ts'

const hourMs = 3_600_000

/** The in-memory state of tracking: queued clicks, pending counts and the salts of the day. One for each database. */
export type Tracker = {
  record: ClickRecorder
  counter: VisitorCounter
  salts: Salts
  flush(now: Date): Promise<void>
}

export function createTracker(db: AppDb, log: Logger): Tracker {
  const counter = createVisitorCounter(db, log)
  const salts = createSalts(db)
  return {
    record: createClickRecorder(db),
    counter,
    salts,
    async flush(now) {
      await counter.flush()
      await salts
        .sweep(now)
        .catch((error: unknown) => log.warn({ err: error }, 'could not delete old salts, retrying with the next flush'))
    },
  }
}

/**
 * Records a visit through an affiliate's link, and creates the referral. It is stored when this returns; the counters
 * follow within a second. A repeated visit of the same visitor and link within an hour returns the first referral.
 * Visitors are recognised until midnight UTC.
 * @param agentProvider who issued what an agent said, if that named the link
 * @throws INVALID_INPUT; UNAVAILABLE if clicks arrive faster than the database can write them
 */
export async function trackVisit(
  ctx: ProgramCtx,
  { record, counter, salts }: Tracker,
  visitor: Visitor,
  raw: unknown,
  agentProvider: string | null = null,
): Promise<RecordedClick> {
  const input = await parseInput(trackVisitInput, raw)
  const programId = ctx.program.id
  const at = ctx.now()
  const salt = await salts.of(programId, at)
  const key = await keyOfLink(ctx, input.token)
  if (key === null) return { link: null, referral: null }
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
    sub: subIdIn(input.sub === undefined ? input.url : `?${new URLSearchParams({ sub: input.sub })}`),
    url: pageOf(input.url),
    referrer: pageOf(input.referrer),
    agentProvider,
    requestId: ctx.requestId,
    at,
  })
  if (recorded.referral?.isNew) counter.note()
  return recorded
}

/** The key of the link that a click names. Only a text that may have something behind the token needs a query. */
async function keyOfLink(ctx: ProgramCtx, text: string): Promise<string | null> {
  const [key = null, ...others] = tokensInAddress(text)
  return others.length === 0 ? key : ((await findLinkByToken(ctx, text))?.tokenKey ?? null)
}

/** The link with this token, for a click that is not recorded. */
export async function findClicked(
  ctx: ProgramCtx,
  token: string,
): Promise<(RecordedClick['link'] & { isActive: boolean }) | null> {
  const input = trackVisitInput.shape.token.safeParse(token)
  if (!input.success) return null
  const link = await findLinkByToken(ctx, input.data)
  if (!link) return null
  const { state, campaign } = link.affiliate
  const isActive = state === 'active' && link.archivedAt === null && campaign.archivedAt === null
  return { token: link.token, url: campaign.url, isActive }
}

/** The referral that a browser got on another domain. Records nothing. @throws NOT_FOUND */
export async function takeOverReferral(ctx: ProgramCtx, raw: unknown): Promise<{ id: string; expiresAt: Date }> {
  const { referralId } = await parseInput(takeOverInput, raw)
  return findReferral(ctx, referralId)
}

/** A referral's affiliate and campaign, for the visitor's page: without the affiliate's name and e-mail. */
export async function describeOrigin(
  { db, program }: ProgramCtx,
  referralId: string,
): Promise<{ affiliate: { id: string; token: string | null }; campaign: { id: string; name: string } } | null> {
  const found = await db.referral.findUnique({
    where: { programId_id: { programId: program.id, id: referralId } },
    include: { link: { select: { token: true } }, campaign: { select: { id: true, name: true } } },
  })
  return found && { affiliate: { id: found.affiliateId, token: found.link?.token ?? null }, campaign: found.campaign }
}

/** Records a visitor's e-mail. @throws INVALID_INPUT; NOT_FOUND; REFUSED if inactive or expired */
export async function trackLead(ctx: ProgramCtx, raw: unknown): Promise<{ id: string; state: ConversionState }> {
  const input = await parseInput(trackLeadInput, raw)
  return recordLead(ctx, input)
}

/** The context for tracking, without an API key: the actor is the service. @param ctx with the true time */
export const trackingCtx = (ctx: Omit<Ctx, 'actor'>, program: ProgramCtx['program']): ProgramCtx => ({
  ...ctx,
  db: ctx.db.ofProgram(program.id),
  now: clockOf(program, ctx.now),
  actor: { kind: 'system' },
  program,
})
