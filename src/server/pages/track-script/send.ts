/** What the service answered; null for a refusal, undefined where no answer came. */
type Answer<T> = T | null | undefined

/**
 * Posts to the service, and again after each pause where no answer came. JSON goes as text, which needs no preflight, and
 * `keepalive` lets it arrive when the page is left meanwhile.
 */
export async function send<T>(address: string, body: object, pauses: readonly number[]): Promise<Answer<T>> {
  for (let attempt = 0; ; attempt++) {
    try {
      const response = await fetch(address, {
        method: 'POST',
        body: JSON.stringify(body),
        keepalive: true,
        credentials: 'omit',
      })
      if (response.ok) return (await response.json()) as T
      if (response.status < 500 && response.status !== 429) return null
    } catch {}
    const pause = pauses[attempt]
    if (pause === undefined) return undefined
    await new Promise((resume) => setTimeout(resume, pause))
  }
}
