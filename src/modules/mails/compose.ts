import type { Program } from '../../generated/prisma/client.ts'
import type { NewMail } from './queue.ts'
import { fillIn, oneLine } from './template.ts'
import { en } from './texts/en.ts'
import type { WrittenKind } from './texts/texts.ts'

/** Writes a mail. `{{program}}` is always there; `{{name}}` is empty without one. `preferences` is for the footer. */
export function composeMail(
  program: Pick<Program, 'name'>,
  kind: WrittenKind,
  { to, ...more }: Pick<NewMail, 'to' | 'affiliateId' | 'unsubscribeUrl'>,
  values: Readonly<Record<string, string>>,
): NewMail {
  const { button, ...template } = en.mails[kind]
  const name = oneLine(program.name)
  const frame = {
    language: 'en',
    program: name,
    button,
    footer: footerOf(name, more.affiliateId ? en.footer : en.managerFooter, more.unsubscribeUrl, values.preferences),
  }
  return { kind, to, ...more, ...fillIn(template, { ...values, program: name }, frame) }
}

/** The portal of a program, where an affiliate without a session asks for a sign-in link. */
export const portalUrl = (publicUrl: string, { slug }: Pick<Program, 'slug'>): string =>
  `${publicUrl}/portal?program=${slug}`

/** How a mail addresses a person: the first name, else the address. */
export const nameInMail = ({ firstName, email }: { firstName: string | null; email: string }): string =>
  oneLine(firstName ?? '') || email

const footerOf = (
  program: string,
  text: string,
  unsubscribe: string | null | undefined,
  preferences: string | undefined,
): string =>
  unsubscribe
    ? text
        .replace('{{program}}', () => program)
        .replace('{{unsubscribe}}', () => unsubscribe)
        .replace('{{preferences}}', () => preferences ?? '')
        .trimEnd()
    : ''
