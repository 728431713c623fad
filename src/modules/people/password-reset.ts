import { z } from 'zod'
import { withTransaction } from '../../database/client/transaction.ts'
import type { Person } from '../../generated/prisma/client.ts'
import type { Ctx } from '../../kernel/context.ts'
import type { AppDb } from '../../kernel/db.ts'
import { refused, unauthenticated } from '../../kernel/errors.ts'
import { mintId } from '../../kernel/ids.ts'
import { parseInput, problem } from '../../kernel/input/parse.ts'
import { recordInstallationChange } from '../history/installation.ts'
import { actorOf, hashPassword } from './account.ts'
import { personAddress } from './address.ts'
import type { Auth } from './auth.ts'
import { createPasswordResetLinkInput } from './input.ts'
import { hashLinkToken, mintLinkToken } from './link-token.ts'
import { type LinkCtx, passwordResetMail } from './mails.ts'
import { passwordProblem } from './password.ts'

const validMs = 60 * 60_000
const prefix = 'password-reset '

/**
 * Makes a link to choose a new password, once, within an hour. An earlier link ends. Only the hash of its token is
 * stored. With a mailer, the link is mailed too.
 * @returns `isMailed`: whether the mail server has accepted the mail; null without a mailer
 * @throws INVALID_INPUT; REFUSED if nobody has the e-mail address
 */
export async function createPasswordResetLink(
  ctx: Ctx,
  { publicUrl, mailer }: LinkCtx,
  raw: unknown,
): Promise<{ url: string; person: Person; isMailed: boolean | null }> {
  const { db } = ctx
  const input = await parseInput(createPasswordResetLinkInput, raw)
  const person = await db.person.findUnique({ where: { email: personAddress(input.email) } })
  if (!person) throw refused('Nobody has an account with this e-mail address.')
  const url = await insertLink(ctx, publicUrl, person, { endsEarlier: true })
  return { url, person, isMailed: mailer ? await mailer.send(passwordResetMail(ctx, person, url)) : null }
}

/** Mails a link for a forgotten password to a known address. An earlier link stays valid: anybody can ask. */
export async function mailPasswordReset(
  ctx: Pick<Ctx, 'db' | 'now' | 'requestId'>,
  { publicUrl, mailer }: Required<LinkCtx>,
  email: string,
): Promise<void> {
  const person = await ctx.db.person.findUnique({ where: { email: personAddress(email) } })
  if (!person) return
  const url = await insertLink({ ...ctx, actor: { kind: 'system' } }, publicUrl, person, { endsEarlier: false })
  await mailer?.send(passwordResetMail(ctx, person, url))
}

async function insertLink(
  ctx: Pick<Ctx, 'db' | 'now' | 'actor' | 'requestId'>,
  publicUrl: string,
  person: Person,
  { endsEarlier }: { endsEarlier: boolean },
): Promise<string> {
  const now = ctx.now()
  const token = mintLinkToken()
  const identifier = prefix + person.id
  const times = { createdAt: now, updatedAt: now, expiresAt: new Date(now.getTime() + validMs) }
  await withTransaction(ctx.db, async (tx) => {
    const ended = endsEarlier ? {} : { expiresAt: { lte: now } }
    await tx.personVerification.deleteMany({ where: { identifier, ...ended } })
    await tx.personVerification.create({ data: { id: mintId(now), identifier, value: hashLinkToken(token), ...times } })
    await recordInstallationChange(tx, ctx, { action: 'password_reset_link_created', ...subjectOf(person) }, now)
  })
  return `${publicUrl}/dashboard/password-reset#token=${token}`
}

const subjectOf = ({ id, email }: Person) => ({ subjectId: id, subjectName: email })

/** The person of a link. @throws UNAUTHENTICATED if it was used or replaced, or is older than an hour */
export async function readPasswordReset(db: AppDb, now: Date, token: unknown): Promise<Person> {
  const value = hashLinkToken(String(token ?? ''))
  const link = await db.personVerification.findFirst({
    where: { identifier: { startsWith: prefix }, value, expiresAt: { gt: now } },
  })
  const person = link && (await db.person.findUnique({ where: { id: link.identifier.slice(prefix.length) } }))
  if (!person) throw invalidLink()
  return person
}

const newPassword = z.object({ password: z.string({ error: "can't be blank" }) })

/**
 * Sets the new password of a link's person. Ends their sessions and pending sign-ins, and keeps the second factor. Of
 * several requests with one link, one succeeds.
 * @returns the person
 * @throws UNAUTHENTICATED as `readPasswordReset`; INVALID_INPUT, which does not use up the link
 */
export async function resetPassword(
  { db, auth, now, requestId }: { db: AppDb; auth: Auth; now: Date } & Pick<Ctx, 'requestId'>,
  { token, ...raw }: { token?: unknown },
): Promise<Person> {
  const person = await readPasswordReset(db, now, token)
  const input = await parseInput(newPassword, raw, ({ password }) => {
    const weakness = password === undefined ? null : passwordProblem(password, person)
    return weakness ? [problem('password', weakness)] : []
  })
  const password = await hashPassword(auth, input.password)
  const personId = person.id
  await withTransaction(db, async (tx) => {
    const link = { identifier: prefix + personId, value: hashLinkToken(String(token)), expiresAt: { gt: now } }
    const { count } = await tx.personVerification.deleteMany({ where: link })
    if (count === 0) throw invalidLink()
    await tx.personVerification.deleteMany({ where: { identifier: prefix + personId } })
    await tx.personAccount.updateMany({
      where: { personId, providerId: 'credential' },
      data: { password, updatedAt: now },
    })
    await tx.personSession.deleteMany({ where: { personId } })
    await tx.connectedApp.deleteMany({ where: { personId } })
    // The sign-in library keeps sign-ins that wait for a second factor, and trusted devices, under the person's id.
    await tx.personVerification.deleteMany({ where: { value: personId } })
    const recorder = { actor: actorOf(person), requestId }
    await recordInstallationChange(tx, recorder, { action: 'password_reset', ...subjectOf(person) }, now)
  })
  return person
}

const invalidLink = () =>
  unauthenticated(
    'This link is not valid: it works once, within an hour, and a newer link replaces it. Ask an operator of the service for another one.',
  )
