import { createHash, randomBytes } from 'node:crypto'
import { at, type Json, textAt, timeAt } from '../json.ts'
import type { Kind, SignatureSettings } from '../kind.ts'
import type { Signed } from '../signature.ts'
import { evaluate } from './evaluate.ts'
import { factsOfResult } from './result.ts'
import { problemOfGeneric } from './signed.ts'

/** Any JSON. An expression of JSONata makes sales, refunds and leads of it. */
export const generic: Kind = {
  description: 'Any JSON. A mapping makes sales, refunds and leads of it.',
  mintSecret: () => `whsec_${randomBytes(32).toString('base64')}`,
  refusal: 400,
  eventTypes: [],
  isMapped: true,
  problemOf: problemOfGeneric,
  envelopeOf(body, signed, settings) {
    const isTest = at(body, 'test')
    return {
      externalId: signedId(signed, settings) ?? textAt(body, 'event_id') ?? digestOf(signed),
      type: typeOf(body, signed),
      occurredAt: timeAt(body, 'created_at') ?? timeAt(body, 'timestamp') ?? timeAt(body, 'occurredAt'),
      isTest: typeof isTest === 'boolean' ? isTest : undefined,
      account: undefined,
    }
  },
  read: async (body, _type, { programId, mapping }) =>
    factsOfResult(mapping === null ? body : await evaluate(programId, mapping, body)),
}

/** Only Standard Webhooks sign the id in the header. Another one could be sent again under a new id. */
const signedId = ({ header }: Signed, { signatureHeader }: SignatureSettings): string | null =>
  signatureHeader === null && header('webhook-signature') !== null ? header('webhook-id') : null

const digestOf = ({ body }: Signed): string => createHash('sha256').update(body).digest('hex').slice(0, 32)

/** The type is only shown, so that of a header that is not signed is good enough. */
const typeOf = (body: Json, { header }: Signed): string =>
  textAt(body, 'type') ??
  textAt(body, 'event') ??
  textAt(body, 'event_type') ??
  header('x-shopify-topic') ??
  header('x-wc-webhook-topic') ??
  'event'
