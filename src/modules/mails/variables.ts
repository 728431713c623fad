import { mails, type WrittenKind } from '../../texts/en/mails.ts'

export const writtenKinds = Object.keys(mails.mails) as WrittenKind[]

const variable = /\{\{\s*([a-z_]+)\s*\}\}/g

/** The variables of a kind: those of its English text, and the name of the program. */
export function variablesOf(kind: WrittenKind): string[] {
  const { subject, text } = mails.mails[kind]
  const used = [...`${subject}\n${text}`.matchAll(variable)].map(([, name]) => name as string)
  return [...new Set(['program', ...used])]
}
