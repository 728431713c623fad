import { z } from 'zod'
import { withTransaction } from '../../database/client/transaction.ts'
import type { Person } from '../../generated/prisma/client.ts'
import type { Ctx } from '../../kernel/context.ts'
import type { AppDb, Db } from '../../kernel/db.ts'
import { refused, unauthenticated } from '../../kernel/errors.ts'
import { mintId } from '../../kernel/ids.ts'
import { email, required } from '../../kernel/input/fields.ts'
import { parseInput, problem } from '../../kernel/input/parse.ts'
import { recordInstallationChange } from '../history/installation.ts'
import { actorOf } from './account.ts'
import { addressProblems, personAddress } from './address.ts'
import type { Auth } from './auth.ts'
import { createEmailChangeLinkInput } from './input.ts'
import { hashLinkToken, mintLinkToken } from './link-token.ts'
import { emailChangedMail, emailChangeMail, type LinkCtx } from './mails.ts'

const validMs = 24 * 60 * 60_000
const prefix = 'email-change '

/** Ids have no blanks, and the address is the rest. */
const identifierOf = (personId: string, newEmail: string) => `${prefix}${personId} ${newEmail}`

const ownChange = z.object({
  email: required(email()),
  password: z.string({ error: "can't be blank" }),
})

/**
 * Mails a link to the new address of a signed-in person. The address is theirs once they open it. An earlier link ends.
 * @throws INVALID_INPUT, also for a wrong password; UNAUTHENTICATED if nobody is signed in; REFUSED without a mailer
 */
export async function requestEmailChange(
  ctx: Pick<Ctx, 'db' | 'now' | 'requestId'> & { auth: Auth },
  { publicUrl, mailer }: LinkCtx,
  person: Person | null,
  raw: unknown,
): Promise<void> {
  if (!person) throw unauthenticated('Your session has ended. Sign in again.')
  if (!mailer) throw refused('This service sends no mail. Ask an operator of the service for a link.')
  const input = await parseInput(ownChange, raw, async (given) => [
    ...(await newAddressProblems(ctx.db, 'email', given.email)),
    ...(given.password === undefined || (await isPassword(ctx, person, given.password))
      ? []
      : [problem('password', 'is wrong')]),
  ])
  const newEmail = personAddress(input.email)
  const url = await insertLink({ ...ctx, actor: actorOf(person) }, publicUrl, person, newEmail)
  await mailer.send(emailChangeMail(ctx, person, newEmail, url))
}

async function isPassword({ db, auth }: { db: AppDb; auth: Auth }, { id }: Person, password: string): Promise<boolean> {
  const account = await db.personAccount.findFirst({ where: { personId: id, providerId: 'credential' } })
  return account?.password ? (await auth.$context).password.verify({ hash: account.password, password }) : false
}

/**
 * Makes a link for a person who cannot get it by mail. With a mailer, it is mailed to the new address too.
 * @returns `isMailed`: whether the mail server has accepted the mail; null without a mailer
 * @throws INVALID_INPUT; REFUSED if nobody has the present address
 */
export async function createEmailChangeLink(
  ctx: Ctx,
  { publicUrl, mailer }: LinkCtx,
  raw: unknown,
): Promise<{ url: string; person: Person; isMailed: boolean | null }> {
  const input = await parseInput(createEmailChangeLinkInput, raw, ({ newEmail }) =>
    newAddressProblems(ctx.db, 'newEmail', newEmail),
  )
  const person = await ctx.db.person.findUnique({ where: { email: personAddress(input.email) } })
  if (!person) throw refused('Nobody has an account with this e-mail address.')
  const newEmail = personAddress(input.newEmail)
  const url = await insertLink(ctx, publicUrl, person, newEmail)
  return { url, person, isMailed: mailer ? await mailer.send(emailChangeMail(ctx, person, newEmail, url)) : null }
}

async function newAddressProblems(db: Db, field: string, newEmail: string | undefined) {
  const taken = newEmail && (await db.person.findUnique({ where: { email: personAddress(newEmail) } }))
  return taken ? [problem(field, 'is that of an account already')] : addressProblems(field, newEmail)
}

async function insertLink(
  ctx: Pick<Ctx, 'db' | 'now' | 'actor' | 'requestId'>,
  publicUrl: string,
  person: Person,
  newEmail: string,
): Promise<string> {
  const now = ctx.now()
  const token = mintLinkToken()
  const times = { createdAt: now, updatedAt: now, expiresAt: new Date(now.getTime() + validMs) }
  const link = { identifier: identifierOf(person.id, newEmail), value: hashLinkToken(token) }
  await withTransaction(ctx.db, async (tx) => {
    await tx.personVerification.deleteMany({ where: { identifier: { startsWith: identifierOf(person.id, '') } } })
    await tx.personVerification.create({ data: { id: mintId(now), ...link, ...times } })
    const what = { action: 'email_change_link_created', subjectId: person.id, subjectName: person.email } as const
    await recordInstallationChange(tx, ctx, what, now)
  })
  return `${publicUrl}/dashboard/email-change#token=${token}`
}

type EmailChange = { person: Person; newEmail: string }

/** @throws UNAUTHENTICATED if the link was used or replaced, is unknown, or is older than a day */
export async function readEmailChange(db: AppDb, now: Date, token: unknown): Promise<EmailChange> {
  const value = hashLinkToken(String(token ?? ''))
  const link = await db.personVerification.findFirst({
    where: { identifier: { startsWith: prefix }, value, expiresAt: { gt: now } },
  })
  const [id = '', newEmail = ''] = link?.identifier.slice(prefix.length).split(' ') ?? []
  const person = link && (await db.person.findUnique({ where: { id } }))
  if (!person) throw invalidLink()
  return { person, newEmail }
}

/**
 * Changes the address of a link's person, once. Sessions, password and second factor stay. The old address gets a mail.
 * @returns the person, with the new address
 * @throws UNAUTHENTICATED as `readEmailChange`; REFUSED if another account has the address by now
 */
export async function changeEmail(
  { db, now, requestId }: { db: AppDb; now: Date } & Pick<Ctx, 'requestId'>,
  mailer: LinkCtx['mailer'],
  { token }: { token?: unknown },
): Promise<Person> {
  const { person, newEmail } = await readEmailChange(db, now, token)
  await withTransaction(db, async (tx) => {
    const identifier = identifierOf(person.id, newEmail)
    const link = { identifier, value: hashLinkToken(String(token)), expiresAt: { gt: now } }
    const { count } = await tx.personVerification.deleteMany({ where: link })
    if (count === 0) throw invalidLink()
    if (await tx.person.findUnique({ where: { email: newEmail }, select: { id: true } }))
      throw refused('Another account has this e-mail address.')
    const data = { email: newEmail, emailVerified: true, updatedAt: now }
    await tx.person.update({ where: { id: person.id }, data })
    const what = { action: 'email_changed', subjectId: person.id, subjectName: newEmail } as const
    await recordInstallationChange(tx, { actor: actorOf(person), requestId }, what, now)
  })
  mailer?.later(() => mailer.send(emailChangedMail(person, newEmail)))
  return { ...person, email: newEmail }
}

const invalidLink = () =>
  unauthenticated(
    'This link is not valid: it works once, within a day, and a newer link replaces it. Ask for another one in Your account.',
  )
