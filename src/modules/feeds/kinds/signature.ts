import { isSameSecret } from '../../../kernel/same-secret.ts'
import { fieldsOf, hmac, toleranceMs } from '../../../kernel/signatures.ts'

/** What a sender proves with: the exact body, and the headers. */
export type Signed = { body: Uint8Array; header(name: string): string | null }

/** Why the time of a signature is refused, or null. @param seconds since 1970 */
export function problemOfTime(seconds: string | undefined | null, now: Date): string | null {
  if (!seconds || !/^\d{1,12}$/.test(seconds)) return 'The signature has no time.'
  const distance = Math.abs(now.getTime() - Number(seconds) * 1000)
  return distance <= toleranceMs
    ? null
    : 'The time of the signature is more than 5 minutes from now: the request is a replay, or a clock is wrong.'
}

export const wrongSignature = 'The signature does not match the secret of the feed.'

/** Stripe and Paddle: a header with a time and one or more digests of `<time><joint><body>`. */
export const timedScheme =
  (name: string, field: { time: string; digest: string; separator: string; joint: string }) =>
  ({ body, header }: Signed, secrets: readonly string[], now: Date): string | null => {
    const given = header(name.toLowerCase())
    if (given === null) return `The request has no header ${name}.`
    const fields = fieldsOf(given, field.separator)
    const time = fields.get(field.time)?.[0]
    const digests = fields.get(field.digest) ?? []
    const expected = secrets.map((secret) => hmac(secret, [`${time}${field.joint}`, body], 'hex'))
    if (!digests.some((digest) => expected.some((one) => isSameSecret(digest, one)))) return wrongSignature
    return problemOfTime(time, now)
  }

/** Standard Webhooks. A secret that starts with `whsec_` is base64; others are signed with as text. */
export function problemOfStandard({ body, header }: Signed, secrets: readonly string[], now: Date): string | null {
  const [id, time, given] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => header(name))
  if (!id || !time || !given) return 'The request has no headers webhook-id, webhook-timestamp and webhook-signature.'
  const keys = secrets.flatMap((secret) => [
    Buffer.from(secret, 'utf8'),
    ...(secret.startsWith('whsec_') ? [Buffer.from(secret.slice('whsec_'.length), 'base64')] : []),
  ])
  const expected = keys.map((key) => `v1,${hmac(key, [`${id}.${time}.`, body], 'base64')}`)
  if (!given.split(' ').some((one) => expected.some((digest) => isSameSecret(one, digest)))) return wrongSignature
  return problemOfTime(time, now)
}
