import type { Invitation, Person } from '../../generated/prisma/client.ts'
import type { Actor, Ctx, ProgramCtx } from '../../kernel/context.ts'
import { escapeHtml } from '../../kernel/escape-html.ts'
import type { LinkMail, Mail, Mailer } from '../../kernel/mail.ts'
import { hashLinkToken } from './link-token.ts'

/** Where links lead, and what mails them. */
export type LinkCtx = { publicUrl: string; mailer?: Mailer | undefined }

export function invitationMail(ctx: ProgramCtx, { email, role }: Invitation, url: string): LinkMail {
  const tokenHash = hashOf(url)
  const inviter = nameOf(ctx.actor)
  const program = oneLine(ctx.program.name)
  return {
    ...mailOf(email, `Invitation to ${program}`, url, {
      before: [
        'Hello,',
        `${inviter} invites you to the affiliate program ${program}, as ${roleNames[role]}. Open this link to accept:`,
      ],
      link: 'Accept the invitation',
      after: [
        `The link works once, within seven days, for ${email}.`,
        `If you do not know ${inviter} or ${program}, ignore this mail.`,
      ],
    }),
    kind: 'invitation',
    ...checked(ctx, async (db) => (await db.invitation.count({ where: { tokenHash } })) > 0),
  }
}

export function passwordResetMail(ctx: Pick<Ctx, 'db'>, { email, name }: Person, url: string): LinkMail {
  const value = hashOf(url)
  return {
    ...mailOf(email, 'Choose a new password', url, {
      before: [
        `Hello ${oneLine(name)},`,
        `a new password was requested for the account ${email} of the affiliate dashboard. Open this link to choose one:`,
      ],
      link: 'Choose a new password',
      after: [
        'The link works once, within an hour. Choosing a password signs you out everywhere.',
        'If you did not ask for it, ignore this mail: your password stays as it is.',
      ],
    }),
    kind: 'password reset',
    ...checked(ctx, async (db) => (await db.personVerification.count({ where: { value } })) > 0),
  }
}

export function emailChangeMail(
  ctx: Pick<Ctx, 'db'>,
  { email, name }: Person,
  newEmail: string,
  url: string,
): LinkMail {
  const value = hashOf(url)
  return {
    ...mailOf(newEmail, 'Confirm your new e-mail address', url, {
      before: [
        `Hello ${oneLine(name)},`,
        `the account ${email} of the affiliate dashboard is to have this address. Open this link to confirm it:`,
      ],
      link: 'Confirm the address',
      after: ['The link works once, within a day.', 'If you did not ask for it, ignore this mail: nothing changes.'],
    }),
    kind: 'e-mail change',
    ...checked(ctx, async (db) => (await db.personVerification.count({ where: { value } })) > 0),
  }
}

/** To the former address. It has no link, so nothing can end it. */
export const emailChangedMail = ({ email, name }: Person, newEmail: string): LinkMail => ({
  ...mailOf(email, 'Your e-mail address was changed', null, {
    before: [
      `Hello ${oneLine(name)},`,
      `your account of the affiliate dashboard has the address ${newEmail} now, not ${email} any more.`,
    ],
    link: '',
    after: ['If you did not do this, tell an operator of the service at once.'],
  }),
  kind: 'e-mail changed',
  isUncommitted: false,
  isCurrent: async () => true,
})

const roleNames: Readonly<Record<Invitation['role'], string>> = {
  owner: 'an owner',
  manager: 'a manager',
  finance: 'finance',
  analyst: 'an analyst',
}

const nameOf = (actor: Actor): string => (actor.kind === 'person' ? oneLine(actor.name) : 'An operator')

/** Names are typed by people, and must not look like lines of ours. */
const oneLine = (name: string): string => name.replace(/\s+/g, ' ').trim()

const hashOf = (url: string): string => hashLinkToken(url.slice(url.indexOf('#token=') + '#token='.length))

/** What is asked before the link is mailed is asked outside of the transaction of the request. */
function checked({ db }: Pick<Ctx, 'db'>, isCurrent: (db: Ctx['db']) => Promise<boolean>) {
  return { isUncommitted: db.isWithin, isCurrent: () => isCurrent(db.base) }
}

type Words = { before: string[]; link: string; after: string[] }

function mailOf(to: string, subject: string, url: string | null, { before, link, after }: Words): Mail {
  const paragraphs = (texts: string[]) => texts.map((text) => `<p>${escapeHtml(text)}</p>`)
  const button = url === null ? [] : [`<p><a href="${escapeHtml(url)}">${escapeHtml(link)}</a></p>`]
  const body = [...paragraphs(before), ...button, ...paragraphs(after)].join('\n')
  return {
    to,
    subject,
    text: `${[...before, ...(url === null ? [] : [url]), ...after].join('\n\n')}\n`,
    html: `<!doctype html>\n<html lang="en"><body style="font-family: sans-serif">\n${body}\n</body></html>\n`,
  }
}
