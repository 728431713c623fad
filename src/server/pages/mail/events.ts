import { jsonAnswer } from '../../../http/answer.ts'
import { parseJson } from '../../../http/body.ts'
import { clientAddress } from '../../../http/client-address.ts'
import { readCredentials } from '../../../http/credentials.ts'
import { decodeText, type Incoming } from '../../../http/incoming.ts'
import { methodNotAllowed } from '../../../http/methods.ts'
import type { AppDb } from '../../../kernel/db.ts'
import { refused, TributaryError, unauthenticated } from '../../../kernel/errors.ts'
import { isSameSecret } from '../../../kernel/same-secret.ts'
import { readMailEvents } from '../../../modules/mails/events/read-report.ts'
import { readSigned } from '../../../modules/mails/events/sns-signature.ts'
import { stopReported } from '../../../modules/mails/events/stop.ts'
import type { Handler } from '../../handler.ts'
import { createLimit, tooManyRequests } from '../../limits/limiter.ts'
import { createTurns, inTurn, maxTurnsWithoutKey } from '../../limits/turns.ts'
import { confirmSubscription, createSnsSignatures } from './sns.ts'

export type MailEventSettings = {
  /** What providers send with their events. */
  secret?: string | undefined
  /** The topic of Amazon SNS whose signed messages need no secret, and whose subscription is confirmed. */
  topicArn?: string | undefined
}

type Options = MailEventSettings & { db: AppDb; now: () => Date; trustedProxies: number; limitSecret: string }

/** SendGrid sends batches of about 768 kB. */
const maxBodyBytes = 1024 * 1024
const wrongSecretsPerMinute = 30

const bodyOf = async (incoming: Incoming): Promise<unknown> =>
  parseJson(decodeText(await incoming.body(maxBodyBytes)), 'The body')

/** The secret: as a bearer token, as the password of HTTP Basic, which can be part of the address, or as `?secret=`. */
function secretOf(incoming: Incoming): string {
  const credentials = readCredentials(incoming.header('authorization'))
  if (credentials) return credentials.scheme === 'bearer' ? credentials.token : credentials.password
  return new URLSearchParams(incoming.search).get('secret') ?? ''
}

/** `POST /mail/events`: providers of mail report bounces and complaints. */
export function createMailEvents({ db, now, secret, topicArn, trustedProxies, limitSecret }: Options): Handler {
  const isSigned = createSnsSignatures()
  /** With the secret, or as a message that the topic of the setting has signed. @throws UNAVAILABLE */
  async function isAllowed(incoming: Incoming, readBody: () => Promise<unknown>): Promise<boolean> {
    if (secret !== undefined && isSameSecret(secretOf(incoming), secret)) return true
    if (topicArn === undefined || incoming.header('x-amz-sns-topic-arn') !== topicArn) return false
    const signed = readSigned(await readBody(), topicArn)
    return signed !== null && (await isSigned(signed))
  }
  const limit = createLimit('mail events', wrongSecretsPerMinute, limitSecret)
  const turns = createTurns(maxTurnsWithoutKey)

  return async (incoming, { log }) => {
    if (incoming.path !== '/mail/events') return null
    if (incoming.method !== 'POST') return methodNotAllowed('POST')
    if (secret === undefined && topicArn === undefined)
      throw refused('Set MAIL_EVENTS_SECRET to receive events of a mail provider.')
    // The body of a request can be read once.
    let body: Promise<unknown> | undefined
    const readBody = () => {
      body ??= bodyOf(incoming)
      return body
    }
    if (!(await isAllowed(incoming, readBody))) {
      const seconds = await limit(clientAddress(incoming, trustedProxies))
      if (seconds !== null) return tooManyRequests(seconds)
      throw unauthenticated(
        'Send MAIL_EVENTS_SECRET: as ?secret= in the address, or as the password of HTTP Basic. Messages of Amazon SNS without it have to be signed, and of the topic in MAIL_EVENTS_TOPIC_ARN.',
      )
    }
    const read = readMailEvents(await readBody())
    if (!read)
      throw new TributaryError(
        'INVALID_INPUT',
        'The body is not an event of Amazon SES (by SNS), Postmark, SendGrid, Mailgun or Resend, nor {"events": [{"type": "bounce" or "complaint", "email": "…"}]}.',
      )
    if (read.subscription) {
      await confirmSubscription(read.subscription, topicArn)
      log.info({ topicArn: read.subscription.topicArn }, 'subscription of mail events confirmed')
    }
    const stopped = await inTurn(turns, () => stopReported(db, read, now()), { signal: incoming.signal })
    return jsonAnswer({ received: read.reports.length, stopped }, 200, { 'Cache-Control': 'no-store' })
  }
}
