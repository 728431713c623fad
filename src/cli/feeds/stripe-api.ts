import { setTimeout as pause } from 'node:timers/promises'
import { OperatorError } from '../../database/operator-error.ts'
import { backoffMs, requestedWaitMs } from '../import/backoff.ts'

export type StripeObject = { id: string; created: number } & Record<string, unknown>
/** `account` is a connected account, if the key is that of its platform. */
export type StripeApi = { base: string; key: string; account?: string | undefined }
export type StripePage = { data: StripeObject[]; has_more: boolean }

const mostTries = 6
const timeoutMs = 30_000

/**
 * Reads a page of a list. Waits and tries again at a rate limit or a failure. Null if Stripe answers 403 or 404: the
 * key may not read the list, or Stripe does not have it.
 * @throws OperatorError
 */
export async function readPage({ base, key, account }: StripeApi, path: string): Promise<StripePage | null> {
  const url = `${base}${path}`
  for (let attempt = 0; ; attempt += 1) {
    const response = await fetch(url, {
      headers: { Authorization: `Bearer ${key}`, ...(account && { 'Stripe-Account': account }) },
      signal: AbortSignal.timeout(timeoutMs),
    }).catch((error: Error) => error)
    const isFailure = response instanceof Error || response.status === 429 || response.status >= 500
    if (!isFailure) return await pageOf(response, url)
    if (attempt + 1 === mostTries)
      throw new OperatorError(
        `${url} failed ${mostTries} times: ${response instanceof Error ? response.message : `status ${response.status}`}. Run the command again: it goes on where it stopped.`,
      )
    const asked = response instanceof Error ? null : requestedWaitMs(response.headers, new Date())
    await pause(asked ?? backoffMs(attempt, Math.random))
  }
}

async function pageOf(response: Response, url: string): Promise<StripePage | null> {
  if (response.status === 401) throw new OperatorError('Stripe rejected the key. Use a restricted key that can read.')
  if (response.status === 403 || response.status === 404) return null
  const page = (await response.json().catch(() => null)) as StripePage | null
  if (!response.ok || !Array.isArray(page?.data))
    throw new OperatorError(`${url} answered with status ${response.status}, and no list.`)
  return page
}
