import type { Language } from '../../../kernel/languages.ts'
import { de } from './de.ts'
import { en } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { ja } from './ja.ts'
import { pt } from './pt.ts'
import type { MailTexts, WrittenKind } from './written.ts'

export const mailTexts: Readonly<Record<Language, MailTexts>> = { en, de, fr, es, pt, ja }

export const writtenKinds = Object.keys(en.mails) as WrittenKind[]

const variable = /\{\{\s*([a-z_]+)\s*\}\}/g

/** The variables of a kind: those of its English text, and the name of the program. */
export function variablesOf(kind: WrittenKind): string[] {
  const { subject, text } = en.mails[kind]
  const used = [...`${subject}\n${text}`.matchAll(variable)].map(([, name]) => name as string)
  return [...new Set(['program', ...used])]
}
