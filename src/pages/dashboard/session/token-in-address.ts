const storageKey = 'tributary-dashboard-invitation'

/** Takes the token out of the address, so that it is in no copied address and in no history. */
export function takeToken(): string {
  const token = new URLSearchParams(location.hash.slice(1)).get('token') ?? ''
  if (token !== '') history.replaceState(history.state, '', location.pathname + location.search)
  return token
}

/**
 * Takes the token out of the address, and keeps it in this tab: somebody with an account signs in before they accept an
 * invitation. Where the browser blocks storage, they open the link again.
 */
export function keepToken(): string {
  const token = takeToken()
  try {
    if (token === '') return sessionStorage.getItem(storageKey) ?? ''
    sessionStorage.setItem(storageKey, token)
  } catch {}
  return token
}

export function dropToken(): void {
  try {
    sessionStorage.removeItem(storageKey)
  } catch {}
}
