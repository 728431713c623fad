/** The languages of what affiliates and applicants read. Each has a file of texts per place. */
export const languages = ['en', 'de', 'fr', 'es', 'pt', 'ja'] as const
export type Language = (typeof languages)[number]

export type Forms = Readonly<Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }>

const rules = new Map<Language, Intl.PluralRules>()

/** The form for a count. `#` is the count. @param written the count in the reader's format */
export function counted(language: Language, count: number, forms: Forms, written: string): string {
  const known = rules.get(language) ?? new Intl.PluralRules(language)
  rules.set(language, known)
  return (forms[known.select(count)] ?? forms.other).replace('#', () => written)
}
