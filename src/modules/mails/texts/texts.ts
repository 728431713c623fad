import type { MailKind } from '../../../generated/prisma/enums.ts'
import type { Language } from '../../../kernel/languages.ts'
import type { Template } from '../template.ts'
import { de } from './de.ts'
import { en } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { ja } from './ja.ts'
import { pt } from './pt.ts'

/** The mails that have a text. A language has a file with all of them. */
export type WrittenKind = Extract<
  MailKind,
  | 'application_confirm'
  | 'application_received'
  | 'application_approved'
  | 'application_rejected'
  | 'applications_waiting'
  | 'invitation'
  | 'sign_in'
  | 'commissions_earned'
  | 'payout_sent'
  | 'payout_failed'
  | 'payout_address_change'
>

/** `button` is what the link of a mail says. Empty: it has no link. */
export type Written = Template & { button: string }

export type MailTexts = {
  mails: Record<WrittenKind, Written>
  /** Below mails that can be stopped. */
  footer: string
  /** What `{{what}}` lists in the mail about a changed payout address. */
  payoutFields: Record<'preferredPayoutMethod' | 'walletAEmail' | 'walletBEmail' | 'iban' | 'bic', string>
  /** `{{wait}}` in the same mail. */
  payoutsWait(until: string): string
}

export const mailTexts: Readonly<Record<Language, MailTexts>> = { en, de, fr, es, pt, ja }

export const writtenKinds = Object.keys(en.mails) as WrittenKind[]

const variable = /\{\{\s*([a-z_]+)\s*\}\}/g

/** The variables of a kind: those of its English text, and the name of the program. */
export function variablesOf(kind: WrittenKind): string[] {
  const { subject, text } = en.mails[kind]
  const used = [...`${subject}\n${text}`.matchAll(variable)].map(([, name]) => name as string)
  return [...new Set(['program', ...used])]
}
