import { useSyncExternalStore } from 'react'
import { type Language, languageName, languages } from '../../kernel/languages.ts'
import { currentLanguage, keepLanguage, onLanguage, setLanguage, texts } from './texts.ts'

/** The language of the page. A component that calls it renders again when the language changes. */
export const useLanguage = (): Language => useSyncExternalStore(onLanguage, currentLanguage)

/** Chooses the language of the page. @param onChosen saves it for the affiliate */
export function LanguageChoice({ onChosen }: { onChosen?(language: Language): void }) {
  const language = useLanguage()
  function choose(chosen: Language) {
    keepLanguage(chosen)
    void setLanguage(chosen)
    onChosen?.(chosen)
  }
  return (
    <label className="theme">
      <span className="unseen">{texts.languageChoice}</span>
      <select value={language} onChange={({ target }) => choose(target.value as Language)}>
        {languages.map((one) => (
          <option key={one} value={one} lang={one}>
            {languageName(one)}
          </option>
        ))}
      </select>
    </label>
  )
}
