import { insertRows } from '../../database/client/write.ts'
import type { Prisma } from '../../generated/prisma/client.ts'
import type { MailKind } from '../../generated/prisma/enums.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import { addDays } from '../../kernel/dates.ts'
import { emailKey } from '../../kernel/email.ts'
import { mintId } from '../../kernel/ids.ts'
import { type NewMail, readBrand, writeMail } from './compose.ts'

/**
 * Writes mails into the outbox, in the transaction of their cause, with the texts of the program. Kinds that the
 * program has turned off are left out.
 * @returns the ids of the mails
 */
export async function queueMails(
  tx: Prisma.TransactionClient,
  { program }: Pick<ProgramCtx, 'program'>,
  composed: readonly NewMail[],
  now: Date,
): Promise<string[]> {
  // Affiliates are not to notice a shadow.
  if (composed.length === 0 || program.isShadow) return []
  const { mails, textOf } = await applyTexts(tx, program, composed)
  if (mails.length === 0) return []
  // Attempts follow the true time, also in a sandbox whose clock was advanced.
  const nextTryAt = program.isSandbox ? addDays(now, -program.clockAdvancedByDays) : now
  const keys = mails.map(({ to }) => emailKey(to))
  const stops = await tx.mailStop.findMany({ where: { programId: program.id, emailKey: { in: keys } } })
  const reasons = new Map(stops.map(({ emailKey: key, reason }) => [key, reason]))
  const brand = await readBrand(tx, program)
  const rows = mails.map((mail) => ({
    programId: program.id,
    id: mintId(now),
    kind: mail.as ?? mail.kind,
    to: mail.to,
    ...writeMail(program, mail, brand, textOf(mail)),
    toKey: emailKey(mail.to),
    ...stateOf(reasons.get(emailKey(mail.to)), now),
    affiliateId: mail.affiliateId ?? null,
    statementMonthId: mail.statementMonthId ?? null,
    unsubscribeUrl: mail.unsubscribeUrl ?? null,
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

/** What the program has edited, and which of the mails it sends. */
async function applyTexts(
  tx: Prisma.TransactionClient,
  { id: programId }: { id: string },
  composed: readonly NewMail[],
) {
  const kinds = [...new Set(composed.map(({ kind }) => kind))]
  const where = { programId, kind: { in: kinds } }
  const off = new Set((await tx.mailKindOff.findMany({ where })).map(({ kind }) => kind))
  const edited = await tx.mailText.findMany({ where })
  return {
    mails: composed.filter(({ kind, as }) => as !== undefined || !off.has(kind)),
    textOf: ({ kind, language, written }: NewMail) =>
      written ?? edited.find((one) => one.kind === kind && one.language === language),
  }
}

const stateOf = (reason: string | undefined, now: Date) =>
  reason === undefined ? { state: 'pending' as const } : { state: 'stopped' as const, error: reason, finishedAt: now }
