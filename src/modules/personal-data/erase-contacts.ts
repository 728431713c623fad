import type { Prisma } from '../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import { emailKey } from '../../kernel/email.ts'
import { erasedEmail } from './erased-email.ts'

/** Deletes the mails to a person, and takes the person out of applications. Their states and times stay. */
export async function eraseContacts(
  tx: Prisma.TransactionClient,
  { program, now }: ProgramCtx,
  addresses: readonly string[],
  affiliateId: string | null,
): Promise<void> {
  const programId = program.id
  const keys = [...new Set(addresses.map(emailKey))]
  const ofAffiliate = affiliateId === null ? [] : [{ affiliateId }]
  await tx.mail.deleteMany({ where: { programId, OR: [{ toKey: { in: keys } }, ...ofAffiliate] } })
  await tx.mailStop.deleteMany({ where: { programId, emailKey: { in: keys } } })
  if (affiliateId !== null) {
    await tx.mailChoices.deleteMany({ where: { programId, affiliateId } })
    await tx.payoutRecipient.deleteMany({ where: { programId, affiliateId } })
    await tx.knownReward.deleteMany({ where: { programId, affiliateId } })
    const noSession = { address: null, userAgent: null, sessionEndsAt: now() }
    await tx.ssoRedemption.updateMany({ where: { programId, affiliateId }, data: noSession })
    await tx.termsAcceptance.updateMany({ where: { programId, affiliateId }, data: { address: null } })
  }
  const where = { programId, OR: [{ emailKey: { in: keys } }, ...ofAffiliate] }
  for (const { id } of await tx.application.findMany({ where, select: { id: true } })) {
    const email = erasedEmail(id)
    const erased = { email, emailKey: email, firstName: null, lastName: null, fields: {}, address: null, tokenHash: '' }
    const data = { ...erased, reason: null, updatedAt: now() }
    await tx.application.update({ where: { programId_id: { programId, id } }, data })
  }
}
