import type { Incoming } from '../../http/incoming.ts'
import { firstLanguage, type Language, languageOf } from '../../kernel/languages.ts'

/** The tags of `Accept-Language`, the preferred first. */
function acceptedTags(header: string | null): string[] {
  const entries = (header ?? '').split(',').slice(0, 30)
  const weighed = entries.map((entry) => {
    const [tag = '', ...more] = entry.split(';').map((part) => part.trim())
    const weight = more.find((part) => part.startsWith('q='))?.slice(2)
    return { tag, weight: weight === undefined ? 1 : Number(weight) || 0 }
  })
  return weighed
    .filter(({ weight }) => weight > 0)
    .sort((one, other) => other.weight - one.weight)
    .map(({ tag }) => tag)
}

/** The language that a request asks for: `?lang=`, else the first of `Accept-Language` that has texts. */
export const requestedLanguage = (incoming: Pick<Incoming, 'search' | 'header'>): Language | null =>
  chosenLanguage(incoming) ?? firstLanguage(acceptedTags(incoming.header('accept-language')))

/** `?lang=` alone. */
export const chosenLanguage = ({ search }: Pick<Incoming, 'search'>): Language | null =>
  languageOf(new URLSearchParams(search).get('lang') ?? '')
