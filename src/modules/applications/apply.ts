import { createHash, randomBytes } from 'node:crypto'
import { disposableEmailBlocklistSet } from 'disposable-email-domains-js'
import { withTransaction } from '../../database/client/transaction.ts'
import type { Application, Prisma } from '../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import { emailKey } from '../../kernel/email.ts'
import { type Problem, type ProblemCode, refused } from '../../kernel/errors.ts'
import { isId, mintId } from '../../kernel/ids.ts'
import { parseInput, problem, withCode } from '../../kernel/input/parse.ts'
import { listAffiliateFields } from '../affiliates/own-fields/definitions.ts'
import { type Definition, storedValue } from '../affiliates/own-fields/values.ts'
import { composeMail } from '../mails/compose.ts'
import { mayMail, queueMails } from '../mails/queue.ts'
import { applyInput, longestValue } from './input.ts'
import { findReferrer, isInvitationFor } from './referring.ts'
import { type JoinField, readJoinSettings, termsAt } from './settings.ts'

/** Links in mails lead to `publicUrl`, and some are signed with `key`. */
export type JoinCtx = ProgramCtx & { publicUrl: string; key: Buffer }

export type Applied = Pick<Application, 'id' | 'state'>

/**
 * `address` is where it was sent from; null for the company's own server. A program may have sent what is suspected.
 */
export type Sender = { address: string | null; isSuspected: boolean }

/** The most mails to one address in an hour, for all who enter it together. */
const mostMailsPerHour = 3

export const hashToken = (token: string): string => createHash('sha256').update(token).digest('base64url')

/**
 * Takes an application, and mails the link that confirms its e-mail. The answer is the same whether the e-mail is known
 * or not: what is known is said in the mailbox alone.
 * @throws INVALID_INPUT with every problem; REFUSED if the program takes no applications
 */
export async function apply(
  ctx: JoinCtx,
  raw: Record<string, unknown>,
  { address, isSuspected }: Sender,
): Promise<Applied> {
  const { db, program } = ctx
  const now = ctx.now()
  const settings = await readJoinSettings(db, ctx)
  if (!settings.isOpen) throw refused('The program takes no applications at the moment.')
  const terms = await termsAt(db, ctx, now)
  const values = ownValues(raw.fields)
  const input = await parseInput(applyInput, raw, async ({ campaignId, acceptsTerms, email, invitation }) => [
    ...(await campaignProblems(ctx, campaignId, isInvitedTo(ctx, campaignId, email, invitation))),
    ...(terms && !acceptsTerms
      ? [problem('acceptsTerms', 'must be true: the program has terms', 'terms_not_accepted')]
      : []),
    ...settings.fields.flatMap((field) => valueProblems(field, values[field.name])),
    ...ownFieldProblems(await listAffiliateFields(db, ctx), settings.fields, values),
  ])
  const token = randomBytes(32).toString('base64url')
  const row = {
    programId: program.id,
    id: mintId(now),
    campaignId: input.campaignId ?? null,
    email: input.email,
    emailKey: emailKey(input.email),
    firstName: input.firstName ?? null,
    lastName: input.lastName ?? null,
    language: input.language ?? null,
    fields: Object.fromEntries(settings.fields.flatMap(({ name }) => (values[name] ? [[name, values[name]]] : []))),
    tokenHash: hashToken(token),
    isDisposable: isDisposable(emailKey(input.email)),
    isInvited: await isInvited(ctx, emailKey(input.email)),
    referredById: await findReferrer(ctx, input.invitedBy),
    address,
    state: isSuspected ? ('suspected_spam' as const) : ('applied' as const),
    termsVersion: terms?.number ?? null,
    termsAcceptedAt: terms ? now : null,
    createdAt: now,
    updatedAt: now,
  }
  await withTransaction(db, async (tx) => {
    const limit = { kind: 'application_confirm', toKey: row.emailKey, most: mostMailsPerHour } as const
    if (isSuspected ? await hasManySuspected(tx, row) : !(await mayMail(tx, ctx, limit, now))) return
    await tx.application.create({ data: row })
    if (isSuspected) return
    const link = `${ctx.publicUrl}/join/confirm#token=${token}`
    await queueMails(
      tx,
      ctx,
      [composeMail(program, 'application_confirm', { to: row.email, language: row.language }, { link })],
      now,
    )
  })
  return { id: row.id, state: 'applied' }
}

/** Somebody who sends the same again and again fills no list. */
const hasManySuspected = async (
  tx: Prisma.TransactionClient,
  { programId, emailKey: key, createdAt }: Pick<Application, 'programId' | 'emailKey' | 'createdAt'>,
): Promise<boolean> => {
  const recent = { gt: new Date(createdAt.getTime() - 3_600_000) }
  const where = { programId, emailKey: key, state: 'suspected_spam', createdAt: recent } as const
  return (await tx.application.count({ where })) >= mostMailsPerHour
}

/** The program's own fields, by name. REST sends an object, GraphQL a list. */
function ownValues(given: unknown): Record<string, string> {
  const entries = Array.isArray(given)
    ? given.map((entry: { name?: unknown; value?: unknown } | null) => [String(entry?.name), entry?.value] as const)
    : []
  const values: Record<string, string> = Object.create(null)
  for (const [name, value] of entries)
    if (typeof value === 'string' || typeof value === 'number') values[name] = String(value).trim()
  return values
}

function valueProblems({ name, type, isRequired, choices }: JoinField, value: string | undefined): Problem[] {
  const found = (message: string, code: ProblemCode, limit?: number) => [
    withCode({ field: name, message: `${name} ${message}` }, code, limit),
  ]
  if (!value) return isRequired ? found("can't be blank", 'blank') : []
  if (value.length > longestValue)
    return found(`is too long (at most ${longestValue} characters)`, 'too_long', longestValue)
  if (type === 'url' && !/^https?:\/\/\S+$/i.test(value))
    return found('must start with http:// or https://', 'not_a_url')
  if (type === 'choice' && !choices?.includes(value))
    return found(`must be one of: ${choices?.join(', ')}`, 'not_an_option')
  return []
}

/** The answer to a question becomes the value of the own field with its name, so that it must be one. */
function ownFieldProblems(
  definitions: readonly Definition[],
  fields: readonly JoinField[],
  values: Record<string, string>,
): Problem[] {
  return definitions.flatMap((definition) => {
    const { name } = definition
    const value = fields.some((field) => field.name === name) ? values[name] : undefined
    const stored = value ? storedValue(definition, value) : ''
    return typeof stored === 'object'
      ? [withCode({ field: name, message: `${name} ${stored.problem}` }, stored.code)]
      : []
  })
}

/** Whether the program has invited the e-mail, as far as mails are kept. */
const isInvited = async ({ db, program }: ProgramCtx, toKey: string): Promise<boolean> =>
  (await db.mail.count({ where: { programId: program.id, toKey, kind: 'invitation' } })) > 0

const isInvitedTo = (ctx: JoinCtx, campaignId: string | undefined, email: string | undefined, invitation: unknown) =>
  campaignId !== undefined &&
  email !== undefined &&
  isInvitationFor(ctx.key, { programId: ctx.program.id, campaignId, email }, invitation)

/** @param isInvited whether private campaigns are open too */
export async function campaignProblems(
  { db, program }: ProgramCtx,
  campaignId: string | undefined,
  isInvited: boolean,
): Promise<Problem[]> {
  if (campaignId === undefined) return []
  const where = { programId: program.id, id: campaignId, archivedAt: null, ...(isInvited ? {} : { private: false }) }
  const known = isId(campaignId) && (await db.campaign.findFirst({ where, select: { id: true } }))
  return known
    ? []
    : [
        withCode(
          { field: 'campaignId', message: 'Campaign not found, or not open to applications.' },
          'campaign_not_open',
        ),
      ]
}

let disposableDomains: ReadonlySet<string> | undefined

const isDisposable = (key: string): boolean => {
  disposableDomains ??= disposableEmailBlocklistSet()
  return disposableDomains.has(key.slice(key.lastIndexOf('@') + 1))
}
