import { createPublicKey, verify } from 'node:crypto'
import { hostOfTopic } from '../../../kernel/sns-topic.ts'

type Fields = Readonly<Record<string, unknown>>

/** What is signed of each type of message, in this order. A subject can be missing. */
const signedFields: Readonly<Record<string, readonly string[]>> = {
  Notification: ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type'],
  SubscriptionConfirmation: ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'],
  UnsubscribeConfirmation: ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'],
}

const algorithms: Readonly<Record<string, string>> = { '1': 'RSA-SHA1', '2': 'RSA-SHA256' }

/** A message of Amazon SNS whose signature can be checked. */
export type Signed = {
  /** The address of the certificate, at the host of the topic. */
  certificateUrl: string
  /** Whether the signature is of the owner of the certificate. */
  isOf(certificate: string): boolean
}

/** Null if the body is no message of the topic, or names a certificate that is not Amazon's. */
export function readSigned(given: unknown, topicArn: string): Signed | null {
  if (given === null || typeof given !== 'object') return null
  const body = given as Fields
  const type = String(body.Type)
  const fields = Object.hasOwn(signedFields, type) ? signedFields[type] : undefined
  const algorithm = algorithms[String(body.SignatureVersion)]
  const host = hostOfTopic(topicArn)
  if (!fields || !algorithm || !host || body.TopicArn !== topicArn) return null
  const { SigningCertURL: certificateUrl, Signature: signature } = body
  if (typeof certificateUrl !== 'string' || typeof signature !== 'string') return null
  const isAmazons =
    certificateUrl.startsWith(`https://${host}/SimpleNotificationService-`) &&
    /^[0-9a-f]{1,100}\.pem$/.test(certificateUrl.slice(`https://${host}/SimpleNotificationService-`.length))
  if (!isAmazons) return null
  const present = fields.filter((name) => body[name] !== undefined && body[name] !== null)
  if (present.some((name) => typeof body[name] !== 'string')) return null
  const text = present.map((name) => `${name}\n${body[name]}\n`).join('')
  return {
    certificateUrl,
    isOf(certificate) {
      try {
        return verify(algorithm, Buffer.from(text), createPublicKey(certificate), Buffer.from(signature, 'base64'))
      } catch {
        return false
      }
    },
  }
}
