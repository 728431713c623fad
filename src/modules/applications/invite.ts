import { withTransaction } from '../../database/client/transaction.ts'
import { emailKey } from '../../kernel/email.ts'
import { refused } from '../../kernel/errors.ts'
import { parseInput } from '../../kernel/input/parse.ts'
import { recordChanges } from '../history/record.ts'
import { composeMail } from '../mails/compose.ts'
import { queueMails } from '../mails/queue.ts'
import { lockProgram } from '../programs/lock.ts'
import { campaignProblems, type JoinCtx } from './apply.ts'
import { inviteApplicantsInput } from './input.ts'
import { invitationFor } from './referring.ts'
import { readJoinSettings } from './settings.ts'

/** Nobody is invited again within this time. */
const pauseMs = 7 * 86_400_000

/**
 * Mails invitations to apply. Affiliates, and people who were invited in the last seven days, get none.
 * @returns the ids of the mails
 * @throws INVALID_INPUT; REFUSED if the program takes no applications
 */
export async function inviteApplicants(ctx: JoinCtx, raw: unknown): Promise<string[]> {
  const { program } = ctx
  const programId = program.id
  const { emails, campaignId } = await parseInput(inviteApplicantsInput, raw, ({ campaignId: id }) =>
    campaignProblems(ctx, id, true),
  )
  const { isOpen } = await readJoinSettings(ctx.db, ctx)
  if (!isOpen) throw refused('The program takes no applications at the moment. Open it before you invite people.')
  const now = ctx.now()
  const byKey = new Map(emails.map((email) => [emailKey(email), email]))
  return withTransaction(ctx.db, async (tx) => {
    // Two people can invite the same address at the same time.
    await lockProgram(tx, programId)
    const keys = { in: [...byKey.keys()] }
    const since = { gt: new Date(now.getTime() - pauseMs) }
    const known = await tx.affiliate.findMany({ where: { programId, emailKey: keys }, select: { emailKey: true } })
    const invited = await tx.mail.findMany({
      where: { programId, toKey: keys, kind: 'invitation', createdAt: since },
      select: { toKey: true },
    })
    for (const key of [...known.map((one) => one.emailKey), ...invited.map((one) => one.toKey)]) byKey.delete(key)
    const mails = [...byKey.values()].map((to) =>
      composeMail(program, 'invitation', { to }, { link: linkOf(ctx, to, campaignId) }),
    )
    const ids = await queueMails(tx, ctx, mails, now)
    const entries = ids.map((subjectId) => ({ subject: 'mail', subjectId, action: 'created' }) as const)
    await recordChanges(
      tx,
      ctx,
      entries.map((entry) => ({ ...entry, before: null, after: { state: 'pending' } })),
      now,
    )
    return ids
  })
}

/** The page with the e-mail filled in. It opens a private campaign for this e-mail. Applying needs the mailbox. */
function linkOf({ publicUrl, program, key }: JoinCtx, email: string, campaignId: string | undefined): string {
  const search = new URLSearchParams({ email })
  if (campaignId !== undefined) {
    search.set('campaign', campaignId)
    search.set('invitation', invitationFor(key, program.id, campaignId, email))
  }
  return `${publicUrl}/join/${program.slug}?${search}`
}
