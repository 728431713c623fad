import { withTransaction } from '../../database/client/transaction.ts'
import type { Person } from '../../generated/prisma/client.ts'
import type { Ctx } from '../../kernel/context.ts'
import type { AppDb, Db } from '../../kernel/db.ts'
import { refused, unauthenticated } from '../../kernel/errors.ts'
import { mintId } from '../../kernel/ids.ts'
import { parseInput } from '../../kernel/input/parse.ts'
import { recordInstallationChange } from '../history/installation.ts'
import { actorOf, hashPassword, insertPerson, parseAccount } from './account.ts'
import type { Auth } from './auth.ts'
import { createSetUpLinkInput, setUpMinutes } from './input.ts'
import { hashLinkToken, mintLinkToken } from './link-token.ts'

const identifier = 'set-up'
const minuteMs = 60_000

/** Whether anybody can sign in. */
export const hasAccount = async (db: AppDb): Promise<boolean> =>
  (await db.person.findFirst({ select: { id: true } })) !== null

export const hasOperator = async (db: AppDb): Promise<boolean> =>
  (await db.person.findFirst({ where: { isOperator: true }, select: { id: true } })) !== null

/** The token of a new set-up link, which makes an operator once, within an hour by default. Only its hash is stored. */
export async function createSetUpToken(db: Db, now: Date, minutes = setUpMinutes): Promise<string> {
  const token = mintLinkToken()
  const times = { createdAt: now, updatedAt: now, expiresAt: new Date(now.getTime() + minutes * minuteMs) }
  await db.personVerification.create({
    data: { id: mintId(now), identifier, value: hashLinkToken(token), ...times },
  })
  return token
}

/** Where a set-up link leads to. The token is in the fragment, which browsers do not send and no log has. */
export const setUpLink = (publicUrl: string, token: string) => `${publicUrl}/dashboard/setup#token=${token}`

/** @throws INVALID_INPUT */
export async function createSetUpLink(ctx: Ctx, publicUrl: string, raw: unknown): Promise<{ url: string }> {
  const { validForMinutes } = await parseInput(createSetUpLinkInput, raw)
  const now = ctx.now()
  return withTransaction(ctx.db, async (tx) => {
    await recordInstallationChange(tx, ctx, { action: 'set_up_link_created' }, now)
    return { url: setUpLink(publicUrl, await createSetUpToken(tx, now, validForMinutes)) }
  })
}

/** Says before the form is filled in whether the link works. @throws UNAUTHENTICATED as `setUpOperator` */
export async function readSetUpLink(db: Db, now: Date, token: unknown): Promise<void> {
  const link = { identifier, value: hashLinkToken(String(token ?? '')), expiresAt: { gt: now } }
  if (!(await db.personVerification.findFirst({ where: link, select: { id: true } }))) throw invalidLink()
}

/**
 * Makes the operator of a set-up link. Of several requests with one link, one succeeds.
 * @throws UNAUTHENTICATED if the link was used, is unknown, or is older than an hour; INVALID_INPUT; REFUSED if a
 *   person has the e-mail address
 */
export async function setUpOperator(
  { db, auth, now, requestId }: { db: AppDb; auth: Auth; now: Date } & Pick<Ctx, 'requestId'>,
  { token, ...raw }: { token?: unknown },
): Promise<Person> {
  const link = { identifier, value: hashLinkToken(String(token ?? '')) }
  // An input with a mistake must not use up the link.
  await readSetUpLink(db, now, token)
  const account = await parseAccount(raw)
  const passwordHash = await hashPassword(auth, account.password)
  return withTransaction(db, async (tx) => {
    const { count } = await tx.personVerification.deleteMany({ where: { ...link, expiresAt: { gt: now } } })
    if (count === 0) throw invalidLink()
    if (await tx.person.findUnique({ where: { email: account.email }, select: { id: true } }))
      throw refused('A person with this e-mail address has an account. Use another address.')
    const person = await insertPerson(tx, now, { ...account, passwordHash, isOperator: true })
    const what = { action: 'operator_created', subjectId: person.id, subjectName: person.email } as const
    await recordInstallationChange(tx, { actor: actorOf(person), requestId }, what, now)
    return person
  })
}

const invalidLink = () =>
  unauthenticated(
    'This set-up link is not valid: it works once, within an hour. Make another one with: npx tributary create-operator',
  )
