import { withTransaction, writeUnique } from '../../database/client/transaction.ts'
import { type Application, Prisma, type Program } from '../../generated/prisma/client.ts'
import type { Ctx } from '../../kernel/context.ts'
import type { AppDb } from '../../kernel/db.ts'
import { TributaryError } from '../../kernel/errors.ts'
import type { PublicUrl } from '../../kernel/public-url.ts'
import { composeMail, nameInMail } from '../mails/compose.ts'
import { queueMails } from '../mails/queue.ts'
import { clockOf } from '../programs/clock.ts'
import { type Applied, hashToken, type JoinCtx } from './apply.ts'
import { approve, lockApplication, reject } from './decide.ts'
import { type JoinRule, ruleFor } from './rules.ts'
import { readJoinSettings } from './settings.ts'

const linkMs = 2 * 86_400_000
/** How long an application waits for a decision. */
const waitsMs = 90 * 86_400_000

const invalidLink = () =>
  new TributaryError('NOT_FOUND', 'This link is not valid, or has expired. Apply again to get a new one.')

const findByToken = (db: AppDb, token: unknown) =>
  typeof token === 'string' && /^[\w-]{43}$/.test(token)
    ? db.application.findFirst({
        where: { tokenHash: hashToken(token), program: { deletedAt: null } },
        include: { program: true },
      })
    : null

/** On a program's own host, links of other programs are unknown. */
const isOfOther = ({ program }: { program: Program }, ownSlug: string | undefined) =>
  ownSlug !== undefined && program.slug !== ownSlug

/** The program of the application that a link confirms. @throws NOT_FOUND for an unknown link */
export async function programOfApplication(db: AppDb, token: unknown, ownSlug?: string): Promise<Program> {
  const found = await findByToken(db, token)
  if (!found || isOfOther(found, ownSlug)) throw invalidLink()
  return found.program
}

/**
 * Confirms the e-mail of an application. The rules of the program decide it, or it waits for a person. Idempotent.
 * @param ctx with the true time
 * @throws NOT_FOUND for an unknown or expired link
 */
export async function confirmApplication(
  { publicUrl, ownSlug, ...ctx }: Ctx & { publicUrl: PublicUrl; key: Buffer; ownSlug?: string | undefined },
  token: unknown,
): Promise<Applied> {
  const found = await findByToken(ctx.db, token)
  if (!found || isOfOther(found, ownSlug)) throw invalidLink()
  const { program, id } = found
  const ofProgram = { db: ctx.db.ofProgram(program.id), program, now: clockOf(program, ctx.now) }
  const scope: JoinCtx = { ...ctx, ...ofProgram, publicUrl: publicUrl(program) }
  const { rules } = await readJoinSettings(scope.db, scope)
  return writeUnique(
    async () => null,
    () => withTransaction(scope.db, (tx) => confirm(tx, scope, id, rules)),
  )
}

async function confirm(
  tx: Prisma.TransactionClient,
  ctx: JoinCtx,
  id: string,
  rules: readonly JoinRule[],
): Promise<Applied> {
  const programId = ctx.program.id
  const now = ctx.now()
  const application = await lockApplication(tx, programId, id)
  if (!application) throw invalidLink()
  const { state, emailKey } = application
  if (application.confirmedAt) return { id, state }
  if (state !== 'applied' || now.getTime() - application.createdAt.getTime() > linkMs) throw invalidLink()
  // A newer application of the same person replaces the one that waits.
  const waiting = { programId, emailKey, state: 'applied', confirmedAt: { not: null } } as const
  await tx.application.updateMany({ where: waiting, data: { state: 'expired', updatedAt: now } })
  const data = { confirmedAt: now, updatedAt: now }
  const confirmed = await tx.application.update({ where: { programId_id: { programId, id } }, data })
  return { id, state: await judge(tx, ctx, confirmed, rules, now) }
}

async function judge(
  tx: Prisma.TransactionClient,
  ctx: JoinCtx,
  application: Application,
  rules: readonly JoinRule[],
  now: Date,
): Promise<Application['state']> {
  const rule = ruleFor(rules, { ...application, fields: application.fields as Record<string, string> })
  if (rule?.decision === 'approve') {
    await approve(tx, ctx, application, null, rule.reason)
    return 'approved'
  }
  if (rule) {
    await reject(tx, ctx, application, rule.reason, true)
    return 'rejected'
  }
  const mail = composeMail(
    ctx.program,
    'application_received',
    { to: application.email, language: application.language },
    { name: nameInMail(application) },
  )
  await queueMails(tx, ctx, [mail], now)
  return 'applied'
}

/** Ends applications that nobody confirmed or decided in time. */
export async function expireApplications(db: AppDb, now: Date): Promise<number> {
  const before = (ms: number) => Prisma.sql`${new Date(now.getTime() - ms)}::timestamptz`
  return db.$executeRaw`
    update applications set state = 'expired', updated_at = ${now}::timestamptz
    where (state = 'applied' and (
      (confirmed_at is null and created_at < ${before(linkMs)}) or confirmed_at < ${before(waitsMs)})
      or state = 'suspected_spam' and created_at < ${before(waitsMs)})
      and exists (select from programs where id = program_id and closed_at is null)`
}
