import { createHmac } from 'node:crypto'
import type { WebhookEndpoint } from '../../generated/prisma/client.ts'
import type { WebhookFormat } from '../../generated/prisma/enums.ts'
import { decryptSecret } from '../../kernel/encryption.ts'
import { signingKeyOf } from './secrets.ts'

type Secrets = Pick<WebhookEndpoint, 'id' | 'format' | 'secret' | 'previousSecret' | 'previousSecretEndsAt'>

/** Thrown if the secret of an endpoint was encrypted with another key. */
export class UnreadableSecret extends Error {
  constructor() {
    super('The secret cannot be decrypted. Set WEBHOOK_KEY to the key of the other instances, or rotate the secret.')
  }
}

type Message = { id: string; at: Date; body: string }

/**
 * The headers that authenticate a body. During a rotation, standard bodies have both signatures; the convention's have
 * only one, by the old secret. Headers of one format only: some receivers of the convention fail on the others.
 * Sources: the specification of Standard Webhooks; what receivers of the convention verify.
 */
export function signatureHeaders(endpoint: Secrets, key: Buffer, message: Message): Record<string, string> {
  return signedBy(endpoint.format, activeSecrets(endpoint, key, message.at), message)
}

/** The headers of a body that is signed with these secrets; the convention's format uses the first one. */
export function signedBy(
  format: WebhookFormat,
  secrets: readonly string[],
  { id, at, body }: Message,
): Record<string, string> {
  if (format === 'convention') {
    const [secret = ''] = secrets
    const digest = createHmac('sha256', signingKeyOf('convention', secret)).update(body).digest('hex')
    return { 'X-Rewardful-Signature': digest }
  }
  const timestamp = String(Math.floor(at.getTime() / 1000))
  const signatures = secrets.map((secret) => {
    const digest = createHmac('sha256', signingKeyOf('standard', secret)).update(`${id}.${timestamp}.${body}`)
    return `v1,${digest.digest('base64')}`
  })
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') }
}

/** The secrets that sign: the new one first, or the old one alone for the convention. @throws UnreadableSecret */
function activeSecrets(endpoint: Secrets, key: Buffer, at: Date): string[] {
  const { id, format, secret, previousSecret, previousSecretEndsAt } = endpoint
  const decrypted = (stored: string) => {
    const text = decryptSecret(key, id, stored)
    if (text === null) throw new UnreadableSecret()
    return text
  }
  const isRotating = previousSecret !== null && previousSecretEndsAt !== null && previousSecretEndsAt > at
  if (!isRotating) return [decrypted(secret)]
  return format === 'convention' ? [decrypted(previousSecret)] : [decrypted(secret), decrypted(previousSecret)]
}
