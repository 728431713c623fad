import type { Affiliate, Prisma, Program } from '../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import { emailKey } from '../../kernel/email.ts'
import { refused } from '../../kernel/errors.ts'
import type { Language } from '../../kernel/languages.ts'
import { mailTexts } from '../../texts/texts.ts'
import { composeMail, mailLanguage, mailLocale, nameInMail } from '../mails/compose.ts'
import { mayMail, queueMails } from '../mails/queue.ts'
import { writtenTime } from '../mails/template-values.ts'
import { paidEmails } from '../payout-methods/addresses.ts'
import { payoutFields } from './input.ts'
import { paidAddresses } from './paid-addresses.ts'
import { rejectUrl } from './reject-link.ts'
import { type AddressChange, addressChanges, lastChangeOfAffiliate, trustedAddress } from './trusted-address.ts'

const hourMs = 3_600_000

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

/** What a mail about a change says: which fields, and until when payouts wait. */
export function valuesOfChange(program: Program, language: Language, before: Affiliate, after: Affiliate, now: Date) {
  const { payoutFields: names, payoutsWait } = mailTexts[language]
  const locale = mailLocale(program, language)
  const until = after.payoutsHeldUntil
  const changed = changedPayoutFields(before, after).map((name) => names[name])
  return {
    what: new Intl.ListFormat(locale, { type: 'unit' }).format(changed),
    wait: until && until > now ? payoutsWait(writtenTime(until, program, locale)) : '',
  }
}

/** Tells of a change at the affiliate's address, and at an e-mail address that payments have reached. */
export async function mailPayoutChange(
  tx: Prisma.TransactionClient,
  ctx: ProgramCtx & Mailing,
  before: Affiliate,
  after: Affiliate,
  now: Date,
): Promise<void> {
  const { program } = ctx
  const changes = await addressChanges(tx, program.id, after.id)
  const changeId = lastChangeOfAffiliate(changes)?.id ?? ''
  const rejecting = { programId: program.id, affiliateId: after.id, changeId }
  const language = mailLanguage(program, after.language)
  const values = {
    name: nameInMail(before),
    ...valuesOfChange(program, language, before, after, now),
    link: rejectUrl(ctx.affiliateUrl, ctx.webhooks.key, rejecting),
  }
  const addresses = await addressesOf(tx, ctx, { before, after, changes }, now)
  const mails = addresses.map((to) =>
    composeMail(program, 'payout_address_change', { to, affiliateId: after.id, language }, values),
  )
  await queueMails(tx, ctx, mails, now)
}

/**
 * The affiliate's own address, and what is replaced or would be restored, if a payment has arrived there: an address
 * that was only entered can be that of a thief. Nobody gets many mails because somebody changes addresses again and
 * again.
 * @throws REFUSED
 */
async function addressesOf(
  tx: Prisma.TransactionClient,
  ctx: ProgramCtx,
  { before, after, changes }: { before: Affiliate; after: Affiliate; changes: AddressChange[] },
  now: Date,
): Promise<string[]> {
  const { email } = before
  const mayTell = (to: string) =>
    mayMail(tx, ctx, { kind: 'payout_address_change', toKey: emailKey(to), most: mostPerHour }, now)
  if (!(await mayTell(email)))
    throw refused(`The payout address was changed ${mostPerHour} times within an hour. Change it later.`, [
      'too_many_changes',
    ])
  const paid = await paidAddresses(tx, after, changes)
  const restored = trustedAddress(after, changes, now)
  const candidates = paidEmails.flatMap((name) =>
    [before[name], restored[name]].filter((to) => to !== null && to !== after[name]),
  ) as string[]
  const others = new Map(candidates.map((to) => [emailKey(to), to] as const).filter(([key]) => paid.has(key)))
  others.delete(emailKey(email))
  const recipients = [email]
  for (const to of others.values()) if (await mayTell(to)) recipients.push(to)
  return recipients
}
