import { withTransaction } from '../../database/client/transaction.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import { emailKey } from '../../kernel/email.ts'
import { type PortalSection, portalUrl, ticketUrl } from '../../kernel/public-url.ts'
import type { SigningCtx } from '../access/affiliate-tokens/signing-secret.ts'
import { mailedTicket } from '../access/sign-in-links/service.ts'
import { composeMail } from './compose.ts'
import { mayMail, queueMails } from './queue.ts'

/** So many links an hour are mailed to one address, whoever asks for them. */
const mostPerHour = 5

/**
 * Mails a link that signs in to the portal, if the address is that of an active affiliate.
 * @param section where the portal opens
 */
export async function mailSignInLink(
  ctx: ProgramCtx & SigningCtx,
  publicUrl: string,
  trueNow: () => Date,
  email: string,
  section?: PortalSection,
): Promise<void> {
  const { program } = ctx
  const now = ctx.now()
  const where = { programId_emailKey: { programId: program.id, emailKey: emailKey(email) } }
  const affiliate = await ctx.db.affiliate.findUnique({ where })
  if (affiliate?.state !== 'active') return
  const ticket = await mailedTicket({ ...ctx, now: trueNow }, affiliate)
  const link = ticketUrl(portalUrl(publicUrl, program), ticket, section)
  const mail = composeMail(
    program,
    'sign_in',
    { to: affiliate.email, affiliateId: affiliate.id, language: affiliate.language },
    { link },
  )
  const limit = { kind: 'sign_in', toKey: affiliate.emailKey, most: mostPerHour } as const
  await withTransaction(ctx.db, async (tx) => {
    if (await mayMail(tx, ctx, limit, now)) await queueMails(tx, ctx, [mail], now)
  })
}
