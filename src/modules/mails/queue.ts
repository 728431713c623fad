import { insertRows } from '../../database/client/write.ts'
import type { Prisma } from '../../generated/prisma/client.ts'
import type { MailKind } from '../../generated/prisma/enums.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import { addDays } from '../../kernel/dates.ts'
import { emailKey } from '../../kernel/email.ts'
import { mintId } from '../../kernel/ids.ts'

export type NewMail = {
  kind: MailKind
  to: string
  subject: string
  text: string
  html: string
  affiliateId?: string | null
  unsubscribeUrl?: string | null
}

/** Writes mails into the outbox, in the transaction of their cause. @returns their ids */
export async function queueMails(
  tx: Prisma.TransactionClient,
  { program }: Pick<ProgramCtx, 'program'>,
  mails: readonly NewMail[],
  now: Date,
): Promise<string[]> {
  // Affiliates are not to notice a shadow.
  if (mails.length === 0 || program.shadow) return []
  // Attempts follow the true time, also in a sandbox whose clock was advanced.
  const nextTryAt = program.sandbox ? addDays(now, -program.clockAdvancedByDays) : now
  const keys = mails.map(({ to }) => emailKey(to))
  const stops = await tx.mailStop.findMany({ where: { programId: program.id, emailKey: { in: keys } } })
  const reasons = new Map(stops.map(({ emailKey: key, reason }) => [key, reason]))
  const rows = mails.map(({ affiliateId = null, unsubscribeUrl = null, ...mail }) => ({
    programId: program.id,
    id: mintId(now),
    ...mail,
    toKey: emailKey(mail.to),
    ...stateOf(reasons.get(emailKey(mail.to)), now),
    affiliateId,
    unsubscribeUrl,
    attempts: 0,
    nextTryAt,
    createdAt: now,
  }))
  await insertRows(tx, 'mails', rows)
  return rows.map(({ id }) => id)
}

/**
 * Whether an address may get one more mail of a kind: at most `most` in an hour, whoever asks for them. The transaction
 * holds the address, so that requests at the same time count each other.
 */
export async function mayMail(
  tx: Prisma.TransactionClient,
  { program }: Pick<ProgramCtx, 'program'>,
  { kind, toKey, most }: { kind: MailKind; toKey: string; most: number },
  now: Date,
): Promise<boolean> {
  await tx.$executeRaw`
    select pg_advisory_xact_lock(hashtextextended(${`mail ${program.id} ${kind} ${toKey}`}, 0))`
  const recent = { programId: program.id, toKey, kind, createdAt: { gt: new Date(now.getTime() - 3_600_000) } }
  return (await tx.mail.count({ where: recent })) < most
}

const stateOf = (reason: string | undefined, now: Date) =>
  reason === undefined ? { state: 'pending' } : { state: 'stopped', error: reason, finishedAt: now }
