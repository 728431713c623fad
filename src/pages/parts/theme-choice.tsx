import { useSyncExternalStore } from 'react'
import { currentTheme, onTheme, setTheme, type Theme, themes } from '../look/theme.ts'
import { partTexts } from './texts.ts'

/** Chooses light, dark, or the colours of the system, for all pages in this browser. */
export function ThemeChoice() {
  const theme = useSyncExternalStore(onTheme, currentTheme)
  return (
    <label className="theme">
      <span className="unseen">{partTexts().colors}</span>
      <select value={theme} onChange={({ target }) => setTheme(target.value as Theme)}>
        {themes.map((one) => (
          <option key={one} value={one}>
            {partTexts().themes[one]}
          </option>
        ))}
      </select>
    </label>
  )
}
