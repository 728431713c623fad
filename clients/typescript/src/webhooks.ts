/** An event that was sent, in either format. `data` is the resource as it was when the event was committed. */
export type WebhookEvent<Data = Record<string, unknown>> = { id: string; type: string; createdAt: Date; data: Data }

/** Thrown if a request is not authentic: nothing of it may be used. Respond 401. */
export class WebhookSignatureError extends Error {
  override readonly name = 'WebhookSignatureError'
}

/** The headers and the unparsed body of a request, as Node.js (`request.headers`) or `Request` has them. */
export type SignedRequest = {
  headers: Headers | Record<string, string | string[] | undefined>
  body: string
}

type VerifyOptions = {
  /** How old, or how far in the future, a standard signature can be. Default: 300. */
  toleranceSeconds?: number
  now?: Date
}

/**
 * Verifies that the service has sent a request, and reads its event. The format is known by the headers: Standard Webhooks
 * (`webhook-signature`) or the convention's (`X-Rewardful-Signature`).
 * @throws WebhookSignatureError
 */
export async function verifyWebhook<Data = Record<string, unknown>>(
  { headers, body }: SignedRequest,
  secret: string,
  { toleranceSeconds = 300, now = new Date() }: VerifyOptions = {},
): Promise<WebhookEvent<Data>> {
  const header = (name: string) => headerOf(headers, name)
  const [standard, convention] = [header('webhook-signature'), header('x-rewardful-signature')]
  if (standard !== undefined) {
    const [id, timestamp] = [header('webhook-id') ?? '', header('webhook-timestamp') ?? '']
    if (!(Math.abs(now.getTime() / 1000 - Number(timestamp)) <= toleranceSeconds))
      throw new WebhookSignatureError('The signature is too old, or the clock of this machine is wrong.')
    const key = bytesOfBase64(secret.replace(/^whsec_/, ''))
    const signatures = standard.split(' ').map((one) => bytesOfBase64(one.replace(/^v1,/, '')))
    await assertSigned(key, signatures, `${id}.${timestamp}.${body}`)
    const { type, timestamp: createdAt, data } = JSON.parse(body) as { type: string; timestamp: string; data: Data }
    return { id, type, createdAt: new Date(createdAt), data }
  }
  if (convention === undefined) throw new WebhookSignatureError('The request has no signature.')
  await assertSigned(new TextEncoder().encode(secret), [bytesOfHex(convention)], body)
  const { object, event } = JSON.parse(body) as {
    object: Data
    event: { id: string; type: string; created_at: string }
  }
  return { id: event.id, type: event.type, createdAt: new Date(event.created_at), data: object }
}

/**
 * Makes a handler of requests, for Node.js and for edge runtimes. It responds 401 without calling `onEvent` if the request
 * is not authentic, and 200 once `onEvent` has returned. If that throws, it responds 500, and the service sends the event
 * again: events can arrive twice, so handle each `id` once.
 */
export const createWebhookReceiver =
  (secret: string, onEvent: (event: WebhookEvent) => unknown, options: VerifyOptions = {}) =>
  async (request: Request): Promise<Response> => {
    try {
      const event = await verifyWebhook({ headers: request.headers, body: await request.text() }, secret, options)
      await onEvent(event)
      return new Response('ok', { status: 200 })
    } catch (error) {
      if (error instanceof WebhookSignatureError) return new Response(error.message, { status: 401 })
      return new Response('The event could not be handled.', { status: 500 })
    }
  }

function headerOf(headers: SignedRequest['headers'], name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined
  const value = Object.entries(headers).find(([given]) => given.toLowerCase() === name)?.[1]
  return Array.isArray(value) ? value[0] : value
}

/** Web Crypto compares in constant time. */
async function assertSigned(
  secret: Uint8Array<ArrayBuffer>,
  signatures: Uint8Array<ArrayBuffer>[],
  text: string,
): Promise<void> {
  const hmac = { name: 'HMAC', hash: 'SHA-256' }
  const bytes = new TextEncoder().encode(text)
  if (secret.length > 0) {
    const key = await crypto.subtle.importKey('raw', secret, hmac, false, ['verify'])
    for (const signature of signatures) if (await crypto.subtle.verify('HMAC', key, signature, bytes)) return
  }
  throw new WebhookSignatureError('The signature does not belong to this body and secret.')
}

/** A signature of another form is a wrong one. */
function bytesOfBase64(text: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  } catch {
    return new Uint8Array(0)
  }
}

const bytesOfHex = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(/^([0-9a-f]{2})+$/i.test(text) ? (text.match(/../g) ?? []) : [], (pair) => Number.parseInt(pair, 16))
