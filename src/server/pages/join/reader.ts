import type { Incoming } from '../../../http/incoming.ts'
import type { TributaryError } from '../../../kernel/errors.ts'
import { firstLanguage, type Language, localeIn } from '../../../kernel/languages.ts'
import { requestedLanguage } from '../language.ts'
import type { JoinTexts } from './texts/en.ts'
import { joinTexts } from './texts/texts.ts'

/** Who reads a page: the language, its texts, the locale of amounts, and the theme if a page around a frame has one. */
export type Reader = { language: Language; words: JoinTexts; locale: string; theme: 'light' | 'dark' | null }

/** The reader asks for a language; else it is that of the program. */
export function readerOf(incoming: Incoming, programLocale: string): Reader {
  const language = requestedLanguage(incoming) ?? firstLanguage([programLocale]) ?? 'en'
  const asked = new URLSearchParams(incoming.search).get('theme')
  const theme = asked === 'light' || asked === 'dark' ? asked : null
  return { language, words: joinTexts[language], locale: localeIn(language, [programLocale]), theme }
}

const ownFields = { email: 'email', firstName: 'firstName', lastName: 'lastName' } as const

/** What is wrong with an application, in the reader's language. The service writes English. */
export function problemTexts(
  { problems, message }: TributaryError,
  { language, words }: Reader,
  fields: readonly { name: string; label: string }[],
): string[] {
  if (language === 'en') return problems.length > 0 ? problems.map((problem) => problem.message) : [message]
  const { blank, url, tooLong, wrong, terms, failed } = words.problems
  const texts = problems.map(({ field, message: english }) => {
    if (field === 'acceptedTerms') return terms
    const own = Object.keys(ownFields).find((name) => name === field) as keyof typeof ownFields | undefined
    const label = own ? words[own] : fields.find(({ name }) => name === field)?.label
    if (label === undefined) return failed
    if (english.endsWith("can't be blank")) return blank(label)
    if (english.endsWith('must start with http:// or https://')) return url(label)
    const [, most] = /at most (\d+) characters/.exec(english) ?? []
    return most === undefined ? wrong(label) : tooLong(label, most)
  })
  return texts.length > 0 ? texts : [failed]
}
