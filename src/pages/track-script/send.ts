/** The service's response; null if it rejected the request, undefined if there was no response. */
type Result<T> = T | null | undefined

/**
 * Posts to the service, and retries after each pause if there is no response. The JSON is sent as text, which needs no
 * preflight. `keepalive` lets the request finish after the page is left.
 */
export async function send<T>(address: string, body: object, pauses: readonly number[]): Promise<Result<T>> {
  for (let attempt = 0; ; attempt++) {
    try {
      const response = await fetch(address, {
        method: 'POST',
        body: JSON.stringify(body),
        keepalive: true,
        // Only a service behind the page's own origin can set cookies.
        credentials: 'same-origin',
      })
      if (response.ok) return (await response.json()) as T
      if (response.status < 500 && response.status !== 429) return null
    } catch {}
    const pause = pauses[attempt]
    if (pause === undefined) return undefined
    await new Promise((resume) => setTimeout(resume, pause))
  }
}
