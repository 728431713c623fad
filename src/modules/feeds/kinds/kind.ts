import type { Feed } from '../../../generated/prisma/client.ts'
import type { Reading } from '../facts.ts'
import type { Json } from './json.ts'
import type { Signed } from './signature.ts'

/** What an event is, before it is stored. */
export type Envelope = {
  externalId: string
  type: string
  occurredAt: string | undefined
  isTest: boolean | undefined
  /** The account at the billing system. Undefined if events do not say it. */
  account: string | undefined
}

/** What of a feed changes what its events say. */
export type ReadOptions = { programId: string; mapping: string | null; includes: readonly string[] }

/** How requests to a generic feed are signed, and what their bodies are. */
export type SignatureSettings = Pick<
  Feed,
  'signatureHeader' | 'signatureEncoding' | 'signaturePrefix' | 'signatureAlgorithm' | 'signatureContent'
>

/** A billing system: how its requests are proved, and what its events say. */
export type Kind = {
  /** Who makes the secret: the billing system, or this service if none is given. */
  secretFrom: 'vendor' | 'service'
  /** Why a request is refused, or null. */
  problemOf(request: Signed, secrets: readonly string[], now: Date, settings: SignatureSettings): string | null
  /** @throws Unusable */
  envelopeOf(body: Json, request: Signed, settings: SignatureSettings): Envelope
  /** @throws Unusable */
  read(body: Json, type: string, options: ReadOptions): Reading | Promise<Reading>
}
