/** Reads an entry. A value is stored first; null removes the entry. Browsers can block storage. */
export function storage(kind: 'localStorage' | 'sessionStorage', name: string, value?: string | null): string | null {
  try {
    const store = window[kind]
    if (value) store.setItem(name, value)
    else if (value === null) store.removeItem(name)
    return store.getItem(name)
  } catch {
    return null
  }
}

export const visitorName = 'tributary_visitor'

/** Distinguishes browsers behind one IP address. It is created only for visitors who followed a link. */
export function visitorId(): string | undefined {
  const known = storage('localStorage', visitorName)
  if (known) return known
  const made = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0'))
  return storage('localStorage', visitorName, made.join('')) || undefined
}
