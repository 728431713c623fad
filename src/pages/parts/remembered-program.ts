const storageKey = 'tributary-dashboard-program'

/** Remembers the program for the next visit. Browsers can block storage; the first program is opened then. */
export function rememberProgram(slug: string): void {
  try {
    localStorage.setItem(storageKey, slug)
  } catch {}
}

export function rememberedProgram(): string | null {
  try {
    return localStorage.getItem(storageKey)
  } catch {
    return null
  }
}
