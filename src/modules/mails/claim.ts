import { randomUUID } from 'node:crypto'
import { deleteInBatches } from '../../database/upkeep/delete-in-batches.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import type { AppDb } from '../../kernel/db.ts'
import { emailKey } from '../../kernel/email.ts'
import type { MailResult, OutgoingMail } from '../../kernel/mail.ts'

/** How long a worker may take for an attempt. Longer than the timeouts of a connection. */
const leaseMs = 120_000

/** How long a mail is tried. One that waited longer, such as without a mail server, is too old to be sent. */
export const triedForMs = 72 * 3_600_000

/** The pauses after the first, second, … failed attempt. The last one repeats. */
const pausesMs = [30_000, 120_000, 600_000, 3_600_000, 4 * 3_600_000]

export type ClaimedMail = OutgoingMail & {
  programId: string
  affiliateId: string | null
  statementMonthId: string | null
  lease: string
  attempts: number
  createdAt: Date
}

/** Leases due mails to this worker. Programs take turns. Sandboxes and closed programs send nothing. */
export async function claimMails(db: AppDb, now: Date, limit: number): Promise<ClaimedMail[]> {
  if (limit <= 0) return []
  const lease = randomUUID()
  return db.$queryRaw<ClaimedMail[]>`
    with due as (
      select m.program_id, m.id, p.name, row_number() over (partition by m.program_id order by m.next_try_at, m.id) as turn
      from programs p cross join lateral (
        select program_id, id, next_try_at from mails
        where program_id = p.id and state = 'pending' and next_try_at <= ${now}::timestamptz
        order by next_try_at limit ${limit}::int for update skip locked
      ) m
      where p.closed_at is null and not p.is_sandbox
    ), chosen as (
      select program_id, id, name from due order by turn, program_id limit ${limit}::int
    )
    update mails m set lease = ${lease}::uuid, next_try_at = ${new Date(now.getTime() + leaseMs)}::timestamptz
    from chosen where m.program_id = chosen.program_id and m.id = chosen.id
    returning m.program_id::text as "programId", m.id::text, m.kind::text, m."to", m.subject, m.text, m.html,
      m.affiliate_id::text as "affiliateId", m.statement_month_id::text as "statementMonthId",
      m.unsubscribe_url as "unsubscribeUrl", m.lease::text, m.attempts, m.created_at as "createdAt", chosen.name as "fromName"`
}

/** Whether a mail waited too long to be sent now. */
export const isTooOld = ({ createdAt }: ClaimedMail, now: Date): boolean =>
  now.getTime() - createdAt.getTime() > triedForMs

/** Stores what became of an attempt. One whose lease was taken over is not counted. */
export async function storeMailOutcome(db: AppDb, mail: ClaimedMail, result: MailResult, now: Date): Promise<void> {
  const next = result.state === 'pending' ? nextTry(mail, now) : null
  const state = result.state === 'pending' && next === null ? 'failed' : result.state
  await db.mail.updateMany({
    where: { programId: mail.programId, id: mail.id, lease: mail.lease },
    data: {
      state,
      nextTryAt: next ?? now,
      lease: null,
      attempts: { increment: 1 },
      error: result.error,
      finishedAt: state === 'pending' ? null : now,
    },
  })
}

function nextTry({ attempts, createdAt }: ClaimedMail, now: Date): Date | null {
  const pauseMs = pausesMs[Math.min(attempts, pausesMs.length - 1)] as number
  return now.getTime() - createdAt.getTime() + pauseMs > triedForMs ? null : new Date(now.getTime() + pauseMs)
}

/** Stops mail to an address that the mail server does not know. */
export async function stopBounced(
  db: AppDb,
  { programId, to }: ClaimedMail,
  result: MailResult,
  now: Date,
): Promise<void> {
  if (result.state !== 'failed' || !result.bounced) return
  const reason = 'A mail to the address bounced.'
  await db.mailStop.createMany({
    data: [{ programId, emailKey: emailKey(to), reason, createdAt: now }],
    skipDuplicates: true,
  })
}

/** Gives mails back that were not sent, so that another worker sends them at once. */
export async function releaseMails(db: AppDb, mails: readonly ClaimedMail[], now: Date): Promise<void> {
  if (mails.length === 0) return
  const leases = Prisma.join(mails.map(({ id, lease }) => Prisma.sql`(${id}::uuid, ${lease}::uuid)`))
  await db.$executeRaw`
    update mails set lease = null, next_try_at = ${now}::timestamptz where (id, lease) in (${leases})`
}

/** Deletes mails that were finished before a time, in batches. */
export const deleteOldMails = (db: AppDb, before: Date): Promise<number> =>
  deleteInBatches(
    (limit) => db.$executeRaw`
      delete from mails where (program_id, id) in (
        select program_id, id from mails where finished_at < ${before}::timestamptz limit ${limit}::int)`,
  )
