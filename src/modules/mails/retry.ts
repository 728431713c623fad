import { withTransaction } from '../../database/client/transaction.ts'
import type { Mail, Prisma } from '../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import { notFound, refused } from '../../kernel/errors.ts'
import { recordAction } from '../history/record.ts'
import { triedForMs } from './claim.ts'
import { findMail } from './find.ts'

/**
 * Sends a mail again that failed or was stopped. An earlier bounce or complaint of its address is forgotten.
 * @throws NOT_FOUND; REFUSED if it has not failed, or is too old
 */
export async function retryMail(ctx: ProgramCtx, mailId: string, query: Prisma.MailDefaultArgs): Promise<Mail> {
  const programId = ctx.program.id
  const now = ctx.now()
  const { id, createdAt } = await findMail(ctx, mailId)
  if (now.getTime() - createdAt.getTime() > triedForMs)
    throw refused('The mail is older than three days. Its links may have expired, so it is not sent again.')
  await withTransaction(ctx.db, async (tx) => {
    await tx.$queryRaw`select 1 from mails where program_id = ${programId}::uuid and id = ${id}::uuid for update`
    const where = { programId_id: { programId, id } }
    const before = await tx.mail.findUnique({ where })
    if (!before) throw notFound('Mail', mailId)
    if (before.state !== 'failed' && before.state !== 'stopped')
      throw refused(`The mail is ${before.state}. Only failed and stopped mails can be sent again.`)
    const data = { state: 'pending', error: null, finishedAt: null, nextTryAt: now } as const
    await tx.mail.update({ where, data })
    await tx.mailStop.deleteMany({ where: { programId, emailKey: before.toKey } })
    const what = { subject: 'mail', subjectId: id, action: 'redelivered' } as const
    await recordAction(tx, ctx, what, before, { ...before, ...data }, now)
  })
  return findMail(ctx, id, query)
}
