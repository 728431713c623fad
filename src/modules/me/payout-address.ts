import { withTransaction } from '../../database/client/transaction.ts'
import type { Affiliate, Prisma } from '../../generated/prisma/client.ts'
import type { Ctx, ProgramCtx } from '../../kernel/context.ts'
import { emailKey } from '../../kernel/email.ts'
import { refused } from '../../kernel/errors.ts'
import { isId } from '../../kernel/ids.ts'
import { eventsOf, recordEvents } from '../events/record.ts'
import type { StoredFields } from '../history/fields.ts'
import { recordChange } from '../history/record.ts'
import { composeMail, mailLanguage, mailLocale, nameInMail } from '../mails/compose.ts'
import { mayMail, queueMails } from '../mails/queue.ts'
import { isSignatureOf, signatureOf } from '../mails/signature.ts'
import { mailTexts } from '../mails/texts/texts.ts'
import { writtenTime } from '../mails/values.ts'
import { payoutFields } from './input.ts'

const hourMs = 3_600_000
/** How long the link in the mail rejects the change. */
const rejectableMs = 7 * 24 * hourMs

export const changedPayoutFields = (before: Affiliate, after: Partial<Affiliate>) =>
  payoutFields.filter((name) => after[name] !== undefined && after[name] !== before[name])

/** Until when payouts wait after a change of now. */
export function holdAfter({ program }: Pick<ProgramCtx, 'program'>, before: Affiliate, now: Date): Date | null {
  const until = new Date(now.getTime() + program.payoutHoldHours * hourMs)
  if (program.payoutHoldHours === 0) return before.payoutsHeldUntil
  return before.payoutsHeldUntil && before.payoutsHeldUntil > until ? before.payoutsHeldUntil : until
}

/** What links in mails are made of. */
export type Mailing = { affiliateUrl: string; webhooks: { key: Buffer } }

/** So many changes of an affiliate within an hour, and so many mails to one address. */
const mostPerHour = 5

/** Tells of a change at the affiliate's address, and at the e-mail addresses that were paid before. */
export async function mailPayoutChange(
  tx: Prisma.TransactionClient,
  ctx: ProgramCtx & Mailing,
  before: Affiliate,
  after: Affiliate,
  now: Date,
): Promise<void> {
  const { program } = ctx
  const changed = changedPayoutFields(before, after)
  const until = after.payoutsHeldUntil
  const rejecting = { programId: program.id, affiliateId: after.id, at: now }
  const language = mailLanguage(program, after.language)
  const { payoutFields: names, payoutsWait } = mailTexts[language]
  const locale = mailLocale(program, language)
  const values = {
    name: nameInMail(before),
    what: new Intl.ListFormat(locale, { type: 'unit' }).format(changed.map((name) => names[name])),
    wait: until && until > now ? payoutsWait(writtenTime(until, program, locale)) : '',
    link: rejectUrl(ctx.affiliateUrl, ctx.webhooks.key, rejecting),
  }
  const addresses = await addressesOf(tx, ctx, before, changed, now)
  const mails = addresses.map((to) =>
    composeMail(program, 'payout_address_change', { to, affiliateId: after.id, language }, values),
  )
  await queueMails(tx, ctx, mails, now)
}

/** Nobody else gets many mails because somebody changes addresses again and again. @throws REFUSED */
async function addressesOf(
  tx: Prisma.TransactionClient,
  ctx: ProgramCtx,
  { email, walletAEmail, walletBEmail }: Affiliate,
  changed: readonly string[],
  now: Date,
): Promise<string[]> {
  const mayTell = (to: string) =>
    mayMail(tx, ctx, { kind: 'payout_address_change', toKey: emailKey(to), most: mostPerHour }, now)
  if (!(await mayTell(email)))
    throw refused(`The payout address was changed ${mostPerHour} times within an hour. Change it later.`, [
      'too_many_changes',
    ])
  const replaced = [changed.includes('walletAEmail') && walletAEmail, changed.includes('walletBEmail') && walletBEmail]
  const others = new Map(replaced.flatMap((to) => (to ? [[emailKey(to), to] as const] : [])))
  others.delete(emailKey(email))
  const told = [email]
  for (const to of others.values()) if (await mayTell(to)) told.push(to)
  return told
}

export type Rejecting = { programId: string; affiliateId: string; at: Date }

const signed = ({ programId, affiliateId, at }: Rejecting) =>
  `payout change ${programId} ${affiliateId} ${at.getTime()}`

const rejectUrl = (publicUrl: string, key: Buffer, rejecting: Rejecting): string => {
  const { programId, affiliateId, at } = rejecting
  return `${publicUrl}/mail/payout-address/${programId}/${affiliateId}/${at.getTime()}/${signatureOf(key, signed(rejecting))}`
}

/** What a path rejects, after `/mail/payout-address/`. Null if it was not made here. */
export function readRejectPath(key: Buffer, path: string): Rejecting | null {
  const [programId = '', affiliateId = '', at = '', signature = '', ...more] = path.split('/')
  if (!isId(programId) || !isId(affiliateId) || !/^\d{1,15}$/.test(at) || more.length > 0) return null
  const rejecting = { programId, affiliateId, at: new Date(Number(at)) }
  return isSignatureOf(key, signed(rejecting), signature) ? rejecting : null
}

/**
 * Restores the payout address that the affiliate had before a change, and ends later changes with it. Payouts wait as
 * long as they would have. Idempotent.
 * @returns whether the link still works
 */
export async function rejectPayoutChange(
  ctx: Omit<Ctx, 'actor'> & Pick<ProgramCtx, 'program'>,
  { affiliateId, at }: Rejecting,
): Promise<boolean> {
  const now = ctx.now()
  if (now.getTime() - at.getTime() > rejectableMs) return false
  const programId = ctx.program.id
  const recorder = { ...ctx, actor: { kind: 'affiliate', affiliateId } as const }
  return withTransaction(ctx.db, async (tx) => {
    await tx.$queryRaw`select 1 from affiliates where program_id = ${programId}::uuid and id = ${affiliateId}::uuid for update`
    const where = { programId_id: { programId, id: affiliateId } }
    const before = await tx.affiliate.findUnique({ where })
    if (!before) return false
    const restored = await payoutFieldsBefore(tx, programId, affiliateId, at)
    if (changedPayoutFields(before, restored).length === 0) return true
    const after = await tx.affiliate.update({ where, data: { ...restored, updatedAt: now } })
    const what = { subject: 'affiliate', subjectId: affiliateId, action: 'payout_change_rejected' } as const
    await recordChange(tx, recorder, what, before, after, now)
    await recordEvents(tx, recorder, eventsOf(affiliateId, ['affiliate.updated']), now)
    return true
  })
}

/** What the affiliate's changes since then replaced. What somebody else has changed later stays. */
async function payoutFieldsBefore(
  tx: Prisma.TransactionClient,
  programId: string,
  affiliateId: string,
  at: Date,
): Promise<Partial<Omit<Affiliate, 'ownFields'>>> {
  const changes = await tx.change.findMany({
    where: { programId, subject: 'affiliate', subjectId: affiliateId, at: { gte: at } },
    orderBy: { id: 'desc' },
  })
  const replaced: Record<string, unknown> = {}
  const settled = new Set<string>()
  for (const { actorKind, fields } of changes)
    for (const name of payoutFields) {
      const values = (fields as StoredFields)[name]
      if (!values || settled.has(name)) continue
      if (actorKind === 'affiliate') replaced[name] = values[0]
      else settled.add(name)
    }
  return replaced
}
