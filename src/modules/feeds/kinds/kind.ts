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
export type ReadOptions = { mapping: string | null; includes: readonly string[] }

/** A billing system: how its requests are proved, and what its events say. */
export type Kind = {
  /** Who makes the secret: the billing system, or this service if none is given. */
  secretFrom: 'vendor' | 'service'
  /** Why a request is refused, or null. */
  problemOf(request: Signed, secrets: readonly string[], now: Date): string | null
  /** @throws Unusable */
  envelopeOf(body: Json, request: Signed): Envelope
  /** @throws Unusable */
  read(body: Json, type: string, options: ReadOptions): Reading | Promise<Reading>
}
