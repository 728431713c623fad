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
  /** What it is called, as GraphQL describes it. */
  description: string
  /** Makes a secret. Without it, the billing system makes the secret. */
  mintSecret?: () => string
  /** The form of a secret, if it has one. */
  secretForm?: { pattern: RegExp; problem: string }
  /** What a request that is not proved is answered with. Some systems retry or stop only after one of them. */
  refusal: 400 | 401
  /** The types of events to choose at the billing system. Empty if it sends all, or has no types. */
  eventTypes: readonly string[]
  /** Whether code that users wrote reads the events. */
  isMapped: boolean
  /** Why a request is refused, or null. */
  problemOf(request: Signed, secrets: readonly string[], now: Date, settings: SignatureSettings): string | null
  /** @throws Unusable */
  envelopeOf(body: Json, request: Signed, settings: SignatureSettings): Envelope
  /** @throws Unusable */
  read(body: Json, type: string, options: ReadOptions): Reading | Promise<Reading>
}
