import { createHash } from 'node:crypto'
import { isSameSecret } from '../../../../kernel/same-secret.ts'
import { at, textAt, timeAt } from '../json.ts'
import type { Kind } from '../kind.ts'
import { hmac, problemOfStandard, type Signed, wrongSignature } from '../signature.ts'
import { evaluate } from './evaluate.ts'
import { factsOfResult } from './result.ts'

/** Digests of the body alone, as many services sign. */
function hasBodySignature({ body, header }: Signed, secrets: readonly string[]): boolean {
  const given = header('x-signature') ?? header('x-hub-signature-256')?.replace(/^sha256=/, '')
  return given !== undefined && secrets.some((secret) => isSameSecret(given, hmac(secret, [body], 'hex')))
}

const hasBearer = ({ header }: Signed, secrets: readonly string[]): boolean => {
  const given = /^bearer\s+(\S+)$/i.exec(header('authorization') ?? '')?.[1]
  return given !== undefined && secrets.some((secret) => isSameSecret(given, secret))
}

/** Any JSON. An expression of JSONata makes sales, refunds and leads of it. */
export const generic: Kind = {
  secretFrom: 'service',
  problemOf(signed, secrets, now) {
    const { header } = signed
    if (header('webhook-signature') !== null) return problemOfStandard(signed, secrets, now)
    if (header('x-signature') !== null || header('x-hub-signature-256') !== null)
      return hasBodySignature(signed, secrets) ? null : wrongSignature
    if (header('authorization') !== null)
      return hasBearer(signed, secrets) ? null : 'The token in the header Authorization is not the secret of the feed.'
    return 'The request is not signed: send webhook-signature (Standard Webhooks), X-Signature (hex HMAC-SHA256 of the body), or Authorization: Bearer with the secret.'
  },
  envelopeOf(body, { body: bytes, header }) {
    const digest = createHash('sha256').update(bytes).digest('hex').slice(0, 32)
    const type = textAt(body, 'type') ?? textAt(body, 'event') ?? textAt(body, 'event_type') ?? 'event'
    const occurredAt = timeAt(body, 'created_at') ?? timeAt(body, 'timestamp') ?? timeAt(body, 'occurredAt')
    const isTest = at(body, 'test')
    const externalId = header('webhook-id') ?? textAt(body, 'event_id') ?? digest
    return {
      externalId,
      type,
      occurredAt,
      isTest: typeof isTest === 'boolean' ? isTest : undefined,
      account: undefined,
    }
  },
  read: async (body, _type, { mapping }) => factsOfResult(mapping === null ? body : await evaluate(mapping, body)),
}
