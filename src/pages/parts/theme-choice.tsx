import { useSyncExternalStore } from 'react'
import { currentTheme, onTheme, setTheme, type Theme, themeNames, themes } from '../look/theme.ts'

/** Chooses light, dark, or the colours of the system, for all pages in this browser. */
export function ThemeChoice() {
  const theme = useSyncExternalStore(onTheme, currentTheme)
  return (
    <label className="theme">
      <span className="unseen">Colors</span>
      <select value={theme} onChange={({ target }) => setTheme(target.value as Theme)}>
        {themes.map((one) => (
          <option key={one} value={one}>
            {themeNames[one]}
          </option>
        ))}
      </select>
    </label>
  )
}
