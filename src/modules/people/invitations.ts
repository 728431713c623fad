import { withTransaction } from '../../database/client/transaction.ts'
import type { Invitation, Person, Program } from '../../generated/prisma/client.ts'
import type { Ctx, ProgramCtx } from '../../kernel/context.ts'
import type { AppDb, Db } from '../../kernel/db.ts'
import { notFound, refused, TributaryError, unauthenticated } from '../../kernel/errors.ts'
import { isId, ownCase } from '../../kernel/ids.ts'
import { parseInput } from '../../kernel/input/parse.ts'
import { recordChange } from '../history/record.ts'
import { actorOf, hashPassword, insertPerson, parseAccount } from './account.ts'
import { addressProblems, personAddress } from './address.ts'
import type { Auth } from './auth.ts'
import { inviteMemberInput } from './input.ts'
import { hashLinkToken } from './link-token.ts'
import { invitationMail, type LinkCtx } from './mails.ts'
import { findRole } from './members.ts'
import { newInvitation } from './new-invitation.ts'

/**
 * Invites a person to the program, by a link that is returned once and not stored. An earlier invitation of the address
 * ends. With a mailer, the link is mailed too; the invitation stands if that fails.
 * @returns `isMailed`: whether the mail server has accepted the mail; null without a mailer
 * @throws INVALID_INPUT; REFUSED if the person is a member
 */
export async function inviteMember(
  ctx: ProgramCtx,
  { publicUrl, mailer }: LinkCtx,
  raw: unknown,
): Promise<{ invitation: Invitation; url: string; isMailed: boolean | null }> {
  const input = await parseInput(inviteMemberInput, raw, ({ email }) => addressProblems('email', email))
  const email = personAddress(input.email)
  const { db, program } = ctx
  const now = ctx.now()
  const invitedBy = ctx.actor.kind === 'person' ? ctx.actor.id : null
  const { row, url } = newInvitation({ programId: program.id, email, role: input.role, invitedBy }, now, publicUrl)
  const invitation = await withTransaction(db, async (tx) => {
    const member = await tx.member.findFirst({ where: { programId: program.id, person: { email } } })
    if (member) throw refused('This person is a member of the program. Change their role instead.')
    await tx.invitation.deleteMany({ where: { programId: program.id, email } })
    const created = await tx.invitation.create({ data: row })
    await recordChange(tx, ctx, { ...subjectOf(created), action: 'created' }, null, created, now)
    return created
  })
  const isMailed = mailer ? await mailer.send(invitationMail(ctx, invitation, url)) : null
  return { invitation, url, isMailed }
}

const subjectOf = ({ id }: Invitation) => ({ subject: 'invitation' as const, subjectId: id })

/** Invitations that can be accepted, newest first. */
export const listInvitations = ({ db, program, now }: ProgramCtx): Promise<Invitation[]> =>
  db.invitation.findMany({ where: { programId: program.id, expiresAt: { gt: now() } }, orderBy: { id: 'desc' } })

/** Ends an invitation: its link is refused from now on. @throws NOT_FOUND */
export async function revokeInvitation(ctx: ProgramCtx, namedId: string): Promise<Invitation> {
  const programId = ctx.program.id
  const id = ownCase(namedId)
  if (!isId(id)) throw notFound('Invitation', id)
  return withTransaction(ctx.db, async (tx) => {
    const invitation = await tx.invitation.findUnique({ where: { programId_id: { programId, id } } })
    const { count } = await tx.invitation.deleteMany({ where: { programId, id } })
    if (!invitation || count === 0) throw notFound('Invitation', id)
    await recordChange(tx, ctx, { ...subjectOf(invitation), action: 'revoked' }, invitation, null, ctx.now())
    return invitation
  })
}

/** @throws UNAUTHENTICATED if it was accepted or revoked, has expired, or the inviter lost the right to invite */
export async function readInvitation(
  db: AppDb,
  now: Date,
  token: unknown,
): Promise<Invitation & { program: Program; isKnown: boolean }> {
  const invitation = await db.invitation.findFirst({
    where: { tokenHash: hashLinkToken(String(token ?? '')), expiresAt: { gt: now } },
    include: { program: true },
  })
  if (!invitation || !(await canStillInvite(db, invitation))) throw invalidInvitation()
  // An earlier version, or the file of a program, may have stored another spelling.
  const email = personAddress(invitation.email)
  const person = await db.person.findUnique({ where: { email }, select: { id: true } })
  return { ...invitation, email, isKnown: person !== null }
}

/** Only owners and operators invite. Asked again, in case an invitation outlived its maker's rights. */
async function canStillInvite(db: Db, { programId, invitedBy }: Invitation): Promise<boolean> {
  if (invitedBy === null) return true
  const inviter = await db.person.findUnique({ where: { id: invitedBy } })
  return inviter !== null && (await findRole({ db }, inviter, programId)) === 'owner'
}

/**
 * Makes the invited person a member, once. A person with an account must be signed in; others make one.
 * @param signedIn the person who sends the request, if one is signed in
 * @throws UNAUTHENTICATED if the invitation is not valid any more, or the invited person is not signed in;
 *   INVALID_INPUT
 */
export async function acceptInvitation(
  { db, auth, now, requestId }: { db: AppDb; auth: Auth; now: Date } & Pick<Ctx, 'requestId'>,
  signedIn: Person | null,
  { token, ...raw }: { token?: unknown },
): Promise<Person> {
  const invitation = await readInvitation(db, now, token)
  const { programId, id, email, role, isKnown } = invitation
  const known = signedIn?.email === email ? signedIn : null
  if (isKnown && !known) {
    // Another request with the link may have made the account since the invitation was read.
    if (!(await db.invitation.findUnique({ where: { programId_id: { programId, id } } }))) throw invalidInvitation()
    throw new TributaryError('FORBIDDEN', `${email} has an account. Sign in with it, then open the link again.`)
  }
  const account = known ? null : await parseAccount({ ...raw, email })
  const passwordHash = account && (await hashPassword(auth, account.password))
  return withTransaction(db, async (tx) => {
    const { count } = await tx.invitation.deleteMany({ where: { programId, id, expiresAt: { gt: now } } })
    if (count === 0 || !(await canStillInvite(tx, invitation))) throw invalidInvitation()
    const person =
      known ??
      (await insertPerson(tx, now, {
        name: account?.name ?? '',
        email,
        passwordHash: passwordHash ?? '',
        isOperator: false,
      }))
    const where = { programId_personId: { programId, personId: person.id } }
    const before = await tx.member.findUnique({ where })
    await tx.member.upsert({
      where,
      create: { programId, personId: person.id, role, createdAt: now },
      update: { role },
    })
    const recorder = { program: { id: programId }, actor: actorOf(person), requestId }
    const what = { subject: 'member', subjectId: person.id, action: 'joined', named: ['email'] } as const
    await recordChange(tx, recorder, what, before && { ...before, email }, { email, role }, now)
    return person
  })
}

const invalidInvitation = () =>
  unauthenticated('This invitation is not valid any more. Ask the person who invited you for another one.')
