import { z } from 'zod'
import { described, flag, oneOf, optional, reference, required, text, where } from '../../kernel/input/fields.ts'
import { language } from '../../kernel/input/language.ts'
import type { WrittenKind } from '../../texts/en/mails.ts'
import { writtenKinds } from './variables.ts'

/** The names of the headers are ours; a subject and a text fill the rest. */
export const longestSubject = 200
export const longestText = 10_000

const kind = () => required(described(oneOf('MailKind', writtenKinds as [WrittenKind]), 'What the mail is about.'))
const mailLanguage = () => required(described(language(), 'The language: en, de, fr, es, pt or ja.'))

const parts = {
  subject: optional(described(text(longestSubject), 'The subject, with variables such as `{{program}}`.')),
  text: optional(
    described(
      text(longestText),
      'The text, with variables. Empty lines separate paragraphs. A paragraph that is `{{link}}` becomes a button in HTML; one whose variables are all empty is left out.',
    ),
  ),
  button: optional(described(text(100), 'What the button says.')),
}

export const mailTextsInput = z.object({
  language: optional(described(language(), 'Only the texts in this language. Default: all languages.')),
})

export const updateMailTextInput = z.object({ kind: kind(), language: mailLanguage(), ...parts })

export const resetMailTextInput = z.object({ kind: kind(), language: mailLanguage() })

export const updateMailKindInput = z.object({
  kind: kind(),
  isOn: required(described(flag(), 'Whether the program sends mails of the kind.')),
})

export const previewMailInput = z.object({
  kind: kind(),
  language: mailLanguage(),
  ...parts,
  affiliateId: optional(
    described(reference(), 'The affiliate whose data is filled in. Default: the newest active affiliate.'),
  ),
})

/** The values that a mail to affiliates can have. */
export const messageVariables = ['name', 'program', 'link', 'affiliate_url', 'coupon', 'due'] as const

const messageParts = {
  subject: required(
    described(text(longestSubject), 'The subject, with variables such as `{{name}}`.', { example: 'News, {{name}}' }),
  ),
  text: required(
    described(
      text(longestText),
      `The text, with variables: ${messageVariables.map((name) => `\`{{${name}}}\``).join(', ')}. Empty lines separate paragraphs. A paragraph that is \`{{link}}\` becomes the button to the portal.`,
    ),
  ),
}

export const sendMailToAffiliatesInput = z.object({
  where: optional(
    described(
      where('Affiliate'),
      'Only affiliates that match, as in `affiliates`. Default: all. Only active ones get it.',
    ),
  ),
  ...messageParts,
  dryRun: optional(described(flag(), 'Whether no mail is written: `recipients` says how many would be.')),
})

export const previewMailToAffiliatesInput = z.object({
  where: optional(described(where('Affiliate'), 'As in `sendMailToAffiliates`. The first affiliate is shown.')),
  ...messageParts,
})
