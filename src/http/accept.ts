import Negotiator from 'negotiator'
import type { Incoming } from './incoming.ts'

// A quality of 0 rejects a value (RFC 9110, section 12.4.2), so searching the header's text is not enough.

/** The first of `encodings`, which are in the server's order, that the client accepts, or undefined. */
export function chooseEncoding<Encoding extends string>(
  incoming: Pick<Incoming, 'header'>,
  encodings: readonly Encoding[],
): Encoding | undefined {
  const negotiator = new Negotiator({ headers: { 'accept-encoding': incoming.header('accept-encoding') ?? '' } })
  const accepted = negotiator.encodings(encodings)
  return encodings.find((encoding) => accepted.includes(encoding))
}

/** Whether the Accept header names this media type itself. Wildcards do not count. */
export function acceptsExplicitly(incoming: Pick<Incoming, 'header'>, mediaType: string): boolean {
  return new Negotiator({ headers: { accept: incoming.header('accept') ?? '' } }).mediaTypes().includes(mediaType)
}

/** Those of `mediaTypes` that an Accept header allows, preferred first. A missing header allows all. */
export function acceptedMediaTypes(accept: string | null, mediaTypes: readonly string[]): string[] {
  return new Negotiator({ headers: { accept: accept?.trim() || '*/*' } }).mediaTypes(mediaTypes)
}
