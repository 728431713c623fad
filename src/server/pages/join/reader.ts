import type { Incoming } from '../../../http/incoming.ts'
import type { TributaryError } from '../../../kernel/errors.ts'
import { defaultLanguage, firstLanguage, type Language, localeIn } from '../../../kernel/languages.ts'
import type { JoinTexts } from '../../../texts/en/join.ts'
import { joinTexts } from '../../../texts/texts.ts'
import { requestedLanguage } from '../language.ts'

/** Who reads a page: the language, its texts, the locale of amounts, and the theme if a page around a frame has one. */
export type Reader = { language: Language; words: JoinTexts; locale: string; theme: 'light' | 'dark' | null }

/** The reader asks for a language; else it is that of the program. */
export function readerOf(incoming: Incoming, programLocale: string): Reader {
  const language = requestedLanguage(incoming) ?? firstLanguage([programLocale]) ?? defaultLanguage
  const asked = new URLSearchParams(incoming.search).get('theme')
  const theme = asked === 'light' || asked === 'dark' ? asked : null
  return { language, words: joinTexts[language], locale: localeIn(language, [programLocale]), theme }
}

const ownFields = { email: 'email', firstName: 'firstName', lastName: 'lastName' } as const

/** What is wrong with an application, in the reader's language. Without a text for its code, it is in English. */
export function problemTexts(
  { code, problems, message }: TributaryError,
  { words }: Reader,
  fields: readonly { name: string; label: string }[],
): string[] {
  if (problems.length === 0) return [code === 'REFUSED' ? words.closed : message]
  const { blank, url, tooLong, number, date, wrong, terms, campaign } = words.problems
  return problems.map(({ field = '', code, limit, message: english }) => {
    const own = Object.keys(ownFields).find((name) => name === field) as keyof typeof ownFields | undefined
    const label = own ? words[own] : (fields.find(({ name }) => name === field)?.label ?? field)
    switch (code) {
      case 'terms_not_accepted':
        return terms
      case 'campaign_not_open':
        return campaign
      case 'blank':
        return blank(label)
      case 'not_a_url':
        return url(label)
      case 'too_long':
        return tooLong(label, String(limit))
      case 'not_a_number':
        return number(label)
      case 'not_a_date':
        return date(label)
      case 'not_an_email':
      case 'not_an_option':
        return wrong(label)
      default:
        return english
    }
  })
}
