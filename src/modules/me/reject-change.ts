import { withTransaction } from '../../database/client/transaction.ts'
import type { Affiliate, Prisma } from '../../generated/prisma/client.ts'
import type { Ctx, ProgramCtx } from '../../kernel/context.ts'
import { type PublicUrl, portalUrl } from '../../kernel/public-url.ts'
import { mailTexts } from '../../texts/texts.ts'
import { eventsOf, recordEvents } from '../events/record.ts'
import { recordChange } from '../history/record.ts'
import { composeMail, mailLanguage, nameInMail } from '../mails/compose.ts'
import { queueMails } from '../mails/queue.ts'
import { clockOf } from '../programs/clock.ts'
import { changedPayoutFields, holdAfter, valuesOfChange } from './payout-address.ts'
import type { Rejecting } from './reject-link.ts'
import { addressChanges, lastChangeOfAffiliate, rejectableMs, trustedAddress } from './trusted-address.ts'

/** @param ctx with the true time @returns whether the link still works */
export async function rejectByLink(
  { publicUrl, ...ctx }: Omit<Ctx, 'actor'> & { publicUrl: PublicUrl },
  rejecting: Rejecting,
): Promise<boolean> {
  const program = await ctx.db.program.findUnique({ where: { id: rejecting.programId, deletedAt: null } })
  if (!program) return false
  const scope = { ...ctx, db: ctx.db.ofProgram(program.id), now: clockOf(program, ctx.now), program }
  return rejectPayoutChange({ ...scope, affiliateUrl: publicUrl(program) }, rejecting)
}

/**
 * Restores the newest payout address that can be trusted. Payouts wait anew, and the affiliate gets a mail. Idempotent.
 * @returns whether the link still works: for seven days, until the affiliate changes the address again
 */
async function rejectPayoutChange(
  ctx: Omit<Ctx, 'actor'> & Pick<ProgramCtx, 'program'> & { affiliateUrl: string },
  { affiliateId, changeId }: Rejecting,
): Promise<boolean> {
  const now = ctx.now()
  const programId = ctx.program.id
  const recorder = { ...ctx, actor: { kind: 'affiliate', affiliateId } as const }
  return withTransaction(ctx.db, async (tx) => {
    await tx.$queryRaw`select 1 from affiliates where program_id = ${programId}::uuid and id = ${affiliateId}::uuid for update`
    const where = { programId_id: { programId, id: affiliateId } }
    const before = await tx.affiliate.findUnique({ where })
    if (!before) return false
    const changes = await addressChanges(tx, programId, affiliateId)
    const last = lastChangeOfAffiliate(changes)
    if (last?.id !== changeId || now.getTime() - last.at.getTime() > rejectableMs) return false
    const restored = trustedAddress(before, changes, now)
    if (changedPayoutFields(before, restored).length === 0) return true
    const payoutsHeldUntil = holdAfter(ctx, before, now)
    const after = await tx.affiliate.update({ where, data: { ...restored, payoutsHeldUntil, updatedAt: now } })
    const what = { subject: 'affiliate', subjectId: affiliateId, action: 'payout_change_rejected' } as const
    await recordChange(tx, recorder, what, before, after, now)
    await recordEvents(tx, recorder, eventsOf(affiliateId, ['affiliate.updated']), now)
    await mailRejection(tx, ctx, before, after, now)
    return true
  })
}

/** The holder of an address that was paid can reject a change, too: the affiliate learns of each rejection. */
async function mailRejection(
  tx: Prisma.TransactionClient,
  ctx: Pick<ProgramCtx, 'program'> & { affiliateUrl: string },
  before: Affiliate,
  after: Affiliate,
  now: Date,
): Promise<void> {
  const { program, affiliateUrl } = ctx
  const language = mailLanguage(program, after.language)
  const link = portalUrl(affiliateUrl, program, 'payout-address')
  const values = { name: nameInMail(after), ...valuesOfChange(program, language, before, after, now), link }
  const to = { to: after.email, affiliateId: after.id, language }
  const mail = composeMail(program, 'payout_address_change', to, values)
  await queueMails(tx, ctx, [{ ...mail, written: mailTexts[language].payoutChangeRejected }], now)
}
