import { defaultLanguage, firstLanguage, type Language, languageOf, localeIn } from '../../kernel/languages.ts'
import { portal as english, type PortalTexts } from '../../texts/en/portal.ts'
import { writeCountsBy } from '../../texts/forms.ts'
import { formatNumber, setLocale } from '../parts/locale.ts'
import { setPartTexts } from '../parts/texts.ts'

writeCountsBy(formatNumber)

/** What the portal says. Read it while rendering: it changes with the language. */
export let texts: PortalTexts = english

let language: Language = defaultLanguage
let programLocale: string | undefined
/** The language that was asked for last. An earlier one can arrive later. */
let wanted: Language = defaultLanguage

const listeners = new Set<() => void>()

/** Each language but English is a file of its own, which is loaded when it is needed. */
const load = async (chosen: Language): Promise<PortalTexts> => (await import(`../../texts/${chosen}/portal.ts`)).portal

export const currentLanguage = (): Language => language

/** Calls back when the language changes. */
export function onLanguage(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Shows the page in a language. It stays in the present one if the texts cannot be loaded. */
export async function setLanguage(next: Language): Promise<void> {
  wanted = next
  try {
    const loaded = await load(next)
    if (wanted !== next) return
    texts = loaded
    language = next
  } catch {
    return
  }
  document.documentElement.lang = language
  setPartTexts(texts.parts)
  writeNumbersFor(programLocale)
  for (const listener of listeners) listener()
}

/** Numbers and dates are written in the language, as in the program's locale if it is of the language. */
export function writeNumbersFor(locale: string | undefined): void {
  programLocale = locale
  setLocale(localeIn(language, [...(locale === undefined ? [] : [locale]), ...navigator.languages]))
}

const storageKey = 'tributary.language'

/** The language of a new page: of its address, of the last choice in this browser, or of the browser. */
export function firstChoice(): Language {
  const inAddress = languageOf(new URLSearchParams(location.search).get('lang') ?? '')
  return inAddress ?? keptLanguage() ?? firstLanguage(navigator.languages) ?? defaultLanguage
}

/** Browsers can block storage. */
function keptLanguage(): Language | null {
  try {
    return languageOf(localStorage.getItem(storageKey) ?? '')
  } catch {
    return null
  }
}

/** Keeps the choice for the next page in this browser. */
export function keepLanguage(chosen: Language): void {
  try {
    localStorage.setItem(storageKey, chosen)
  } catch {}
}
