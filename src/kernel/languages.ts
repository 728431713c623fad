/** The languages of what affiliates and applicants read. Each has a folder in `src/texts`. */
export const languages = ['en', 'de', 'fr', 'es', 'pt', 'ja'] as const
export type Language = (typeof languages)[number]

/** The language of the API's messages, and of a person without a language of their own. */
export const defaultLanguage: Language = 'en'

/** What a language is called in itself: "Deutsch". */
export function languageName(language: Language): string {
  const name = new Intl.DisplayNames(language, { type: 'language' }).of(language) ?? language
  return name.charAt(0).toLocaleUpperCase(language) + name.slice(1)
}

/** The language of a tag such as `de-AT`. Null if there are no texts in it. */
export function languageOf(tag: string): Language | null {
  const [begin] = tag.trim().toLowerCase().split(/[-_]/)
  return languages.find((language) => language === begin) ?? null
}

/** The first of the tags that has texts. */
export function firstLanguage(tags: readonly string[]): Language | null {
  for (const tag of tags) {
    const language = languageOf(tag)
    if (language) return language
  }
  return null
}

/** The locale in which numbers and dates are written in a language: the first of the tags that is of it. */
export const localeIn = (language: Language, tags: readonly string[]): string =>
  tags.find((tag) => languageOf(tag) === language) ?? language

export type Forms = Readonly<Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }>

const rules = new Map<Language, Intl.PluralRules>()

/** The form for a count. `#` is the count. @param written the count in the reader's format */
export function counted(language: Language, count: number, forms: Forms, written: string): string {
  const known = rules.get(language) ?? new Intl.PluralRules(language)
  rules.set(language, known)
  return (forms[known.select(count)] ?? forms.other).replace('#', () => written)
}
