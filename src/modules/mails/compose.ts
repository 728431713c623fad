import type { Program } from '../../generated/prisma/client.ts'
import type { Db } from '../../kernel/db.ts'
import { defaultLanguage, firstLanguage, type Language, localeIn } from '../../kernel/languages.ts'
import type { Written, WrittenKind } from '../../texts/en/mails.ts'
import { mailTexts } from '../../texts/texts.ts'
import { kinds } from './kinds/all.ts'
import { type Brand, fillIn, oneLine } from './template.ts'

/** A mail whose text is written when it is queued: the program can have edited it. */
export type NewMail = {
  kind: WrittenKind
  /** What the outbox says it is about. Only tests differ from `kind`. */
  as?: 'test' | 'message'
  to: string
  language: Language
  values: Readonly<Record<string, string>>
  /** Instead of the program's text. */
  written?: Written
  affiliateId?: string | null
  /** The closed month whose statements of the affiliate are attached when it is sent. */
  statementMonthId?: string
  unsubscribeUrl?: string | null
}

type Localized = Pick<Program, 'locale'>

/** The language of a mail: the affiliate's, else that of the program's locale, else English. */
export const mailLanguage = ({ locale }: Localized, language?: string | null): Language =>
  firstLanguage([language ?? '', locale]) ?? defaultLanguage

/** Where amounts and dates in a mail are written. */
export const mailLocale = (program: Localized, language: Language): string => localeIn(language, [program.locale])

/** Composes a mail. `{{program}}` is always there; `{{name}}` is empty without one. `preferences` is for the footer. */
export const composeMail = (
  program: Localized,
  kind: WrittenKind,
  { language, ...to }: Pick<NewMail, 'to' | 'affiliateId' | 'unsubscribeUrl'> & { language?: string | null },
  values: Readonly<Record<string, string>>,
): NewMail => ({ kind, ...to, language: mailLanguage(program, language), values })

/** The program's colour and logo. */
export async function readBrand(db: Db, { id }: Pick<Program, 'id'>): Promise<Brand> {
  const row = await db.joinSettings.findUnique({ where: { programId: id } })
  return { color: row?.color ?? null, logoUrl: row?.logoUrl ?? null }
}

/** Writes a mail's subject, text and HTML. @param written the text as the program has edited it */
export function writeMail(
  program: Pick<Program, 'name'>,
  { kind, language, values, unsubscribeUrl }: NewMail,
  { color, logoUrl }: Brand,
  written: Written = mailTexts[language].mails[kind],
): { subject: string; text: string; html: string } {
  const texts = mailTexts[language]
  const { button, ...template } = written
  const name = oneLine(program.name)
  const frame = {
    language,
    program: name,
    color,
    logoUrl,
    button,
    footer: unsubscribeUrl ? (kinds[kind].to === 'managers' ? texts.managerFooter : texts.footer) : '',
  }
  return fillIn(template, { ...values, program: name, unsubscribe: unsubscribeUrl ?? '' }, frame)
}

/** How a mail addresses a person: the first name, else the address. */
export const nameInMail = ({ firstName, email }: { firstName: string | null; email: string }): string =>
  oneLine(firstName ?? '') || email
