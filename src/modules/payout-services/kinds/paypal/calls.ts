import { LRUCache } from 'lru-cache'
import { type Call, call, type Json, listOf, type Reply, textOf } from '../../call.ts'
import { type RefusedPayment, ServiceProblem } from '../../problem.ts'
import type { Access } from '../kind.ts'

const service = 'PayPal'

/** PayPal takes 400 calls of Payouts in a minute. Source: its guide "Use the Payouts API", read in November 2026. */
const rate = { calls: 380, seconds: 60 }

export type Credentials = { clientId: string; clientSecret: string; webhookId?: string | undefined }
export type PayPal = Access<Credentials>

/** Access tokens, by address and credentials. PayPal says how long each is valid. */
const tokens = new LRUCache<string, string>({ max: 200 })
const keyOf = ({ url, credentials }: PayPal) => `${url} ${credentials.clientId} ${credentials.clientSecret}`

export async function tokenOf(access: PayPal): Promise<string> {
  const known = tokens.get(keyOf(access))
  if (known !== undefined) return known
  const { clientId, clientSecret } = access.credentials
  const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64')
  const { status, body } = await call({
    service,
    rate,
    method: 'POST',
    url: `${access.url}/v1/oauth2/token`,
    headers: { authorization: `Basic ${basic}`, 'content-type': 'application/x-www-form-urlencoded' },
    body: 'grant_type=client_credentials',
  }).catch((error: unknown) => {
    // A token moves no money, so a call for it that has no answer was not one that hands over.
    if (error instanceof ServiceProblem && error.kind === 'unanswered')
      throw new ServiceProblem('unreachable', `${error.message} Nothing was sent.`)
    throw error
  })
  const token = textOf(body.access_token)
  if (status !== 200 || token === null)
    throw new ServiceProblem('unauthorized', `PayPal gave no access: ${wordsOf(body) || `status ${status}`}.`)
  const seconds = Number(body.expires_in)
  tokens.set(keyOf(access), token, { ttl: Math.max((Number.isFinite(seconds) ? seconds : 300) - 60, 1) * 1_000 })
  return token
}

/** Calls with a token. If it was revoked meanwhile, it is asked for once more. */
export async function ofPayPal(
  access: PayPal,
  request: Omit<Call, 'service' | 'rate' | 'url'> & { path: string },
): Promise<Reply> {
  const { path, headers, ...rest } = request
  for (let isAgain = false; ; isAgain = true) {
    const authorization = `Bearer ${await tokenOf(access)}`
    const more = { authorization, ...(rest.body !== undefined && { 'content-type': 'application/json' }) }
    try {
      return await call({ ...rest, service, rate, url: `${access.url}${path}`, headers: { ...headers, ...more } })
    } catch (error) {
      if (!(error instanceof ServiceProblem) || error.kind !== 'unauthorized') throw error
      tokens.delete(keyOf(access))
      if (isAgain) throw error
    }
  }
}

/** "INSUFFICIENT_FUNDS: Sender has insufficient funds." */
export function wordsOf(body: Json): string {
  const details = listOf(body.details).flatMap(({ issue, description, field }) => {
    const what = textOf(issue) ?? textOf(description)
    return what === null ? [] : [field ? `${what} (${textOf(field)})` : what]
  })
  const name = textOf(body.name) ?? textOf(body.error)
  const message = textOf(body.message) ?? textOf(body.error_description)
  return [[name, message].filter(Boolean).join(': '), ...details].filter(Boolean).join(' ')
}

export const refusedBy = (body: Json, status: number, payments: readonly RefusedPayment[] = []) =>
  new ServiceProblem(
    status === 403 ? 'unauthorized' : 'refused',
    status === 403
      ? `PayPal does not allow it for these credentials: ${wordsOf(body) || 'status 403'}. Turn it on for the app in the PayPal developer dashboard.`
      : `PayPal refuses it: ${wordsOf(body) || `status ${status}`}`,
    { payments, body },
  )

/** Forgets the token, so that the next call proves the credentials. */
export const forgetToken = (access: PayPal): void => void tokens.delete(keyOf(access))
