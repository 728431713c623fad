import { createHmac } from 'node:crypto'
import { isSameSecret } from '../../../../kernel/same-secret.ts'
import { hmac } from '../../../../kernel/signatures.ts'
import type { SignatureSettings } from '../kind.ts'
import { problemOfStandard, problemOfTime, type Signed, wrongSignature } from '../signature.ts'

/** Why a request to a generic feed is refused, or null. */
export function problemOfGeneric(
  signed: Signed,
  secrets: readonly string[],
  now: Date,
  settings: SignatureSettings,
): string | null {
  const { header } = signed
  if (settings.signatureHeader !== null) return problemOfOwn(signed, secrets, now, settings)
  if (header('webhook-signature') !== null) return problemOfStandard(signed, secrets, now)
  if (header('x-signature') !== null || header('x-hub-signature-256') !== null)
    return hasBodySignature(signed, secrets) ? null : wrongSignature
  if (header('authorization') !== null)
    return hasBearer(signed, secrets) ? null : 'The token in the header Authorization is not the secret of the feed.'
  return 'The request is not signed: send webhook-signature (Standard Webhooks), X-Signature (hex HMAC-SHA256 of the body), or Authorization: Bearer with the secret. If it is signed in another header, name that in signatureHeader of the feed.'
}

/** Digests of the body alone, as many services sign. */
function hasBodySignature({ body, header }: Signed, secrets: readonly string[]): boolean {
  const given = header('x-signature') ?? header('x-hub-signature-256')?.replace(/^sha256=/, '')
  return given !== undefined && secrets.some((secret) => isSameSecret(given, hmac(secret, [body], 'hex')))
}

const hasBearer = ({ header }: Signed, secrets: readonly string[]): boolean => {
  const given = /^bearer\s+(\S+)$/i.exec(header('authorization') ?? '')?.[1]
  return given !== undefined && secrets.some((secret) => isSameSecret(given, secret))
}

/** A header that the settings of the feed describe: a digest, or a time with one or more digests after commas. */
function problemOfOwn(
  { body, header }: Signed,
  secrets: readonly string[],
  now: Date,
  settings: SignatureSettings,
): string | null {
  const name = settings.signatureHeader as string
  const given = header(name.toLowerCase())
  if (given === null) return `The request has no header ${name}.`
  const hasTime = settings.signatureContent === 'time_and_body'
  const [first = '', ...others] = hasTime ? given.split(',').map((part) => part.trim()) : ['', given.trim()]
  const digestOf = (secret: string) => {
    const mac = createHmac(settings.signatureAlgorithm, secret)
    if (hasTime) mac.update(`${first}.`)
    return mac.update(body).digest(settings.signatureEncoding)
  }
  const expected = secrets.map(digestOf)
  const isRight = others.some((one) => expected.some((digest) => isSameSecret(plain(one, settings), digest)))
  if (!isRight) return wrongSignature
  // Seconds or milliseconds.
  return hasTime ? problemOfTime(/^\d{13,}$/.test(first) ? first.slice(0, -3) : first, now) : null
}

/** A digest without its prefix. Letters of hex may be large. */
function plain(digest: string, { signaturePrefix, signatureEncoding }: SignatureSettings): string {
  const own = signaturePrefix && digest.startsWith(signaturePrefix) ? digest.slice(signaturePrefix.length) : digest
  return signatureEncoding === 'hex' ? own.toLowerCase() : own
}
