export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

const storageKey = 'tributary.theme'
const dark = matchMedia('(prefers-color-scheme: dark)')
const listeners = new Set<() => void>()

let theme: Theme = readTheme()

function themeCalled(name: string | null): Theme | undefined {
  return themes.find((one) => one === name)
}

/** The one that the address names (a page around a frame does), or the one that was chosen. */
function readTheme(): Theme {
  const named = themeCalled(new URLSearchParams(location.search).get('theme'))
  if (named) return named
  try {
    return themeCalled(localStorage.getItem(storageKey)) ?? 'system'
  } catch {
    // Browsers can block storage. The theme is that of the system then.
    return 'system'
  }
}

export const currentTheme = (): Theme => theme

export const isDark = (): boolean => (theme === 'system' ? dark.matches : theme === 'dark')

/** Sets the colours of the page, and of all pages from now on. */
export function setTheme(chosen: Theme): void {
  try {
    localStorage.setItem(storageKey, chosen)
  } catch {}
  show(chosen)
}

function show(chosen: Theme): void {
  theme = chosen
  document.documentElement.dataset.theme = theme
  for (const listener of listeners) listener()
}

/** Calls back when the theme changes: here, in another window, or of the system. */
export function onTheme(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

// Sets what the browser keeps, and follows other windows and the system.
show(theme)
addEventListener('storage', ({ key }) => {
  if (key === storageKey) show(readTheme())
})
dark.addEventListener('change', () => show(theme))
