import { randomBytes } from 'node:crypto'
import type { WebhookFormat } from '../../generated/prisma/enums.ts'

/** Standard Webhooks' prefix before the base64 of a secret. */
const standardPrefix = 'whsec_'

/** A new secret. The key of a signature in the convention's format is the text of the secret itself. */
export const mintSecret = (format: WebhookFormat): string =>
  format === 'standard' ? `${standardPrefix}${randomBytes(32).toString('base64')}` : randomBytes(32).toString('hex')

export const signingKeyOf = (format: WebhookFormat, secret: string): Buffer =>
  format === 'standard' ? Buffer.from(secret.slice(standardPrefix.length), 'base64') : Buffer.from(secret, 'utf8')
