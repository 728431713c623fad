import { jsonAnswer } from '../../../http/answer.ts'
import { parseJson } from '../../../http/body.ts'
import { decodeText, type Incoming } from '../../../http/incoming.ts'
import { methodNotAllowed } from '../../../http/methods.ts'
import type { AppDb } from '../../../kernel/db.ts'
import { refused, TributaryError, unauthenticated } from '../../../kernel/errors.ts'
import { isSameSecret } from '../../../kernel/same-secret.ts'
import { confirmationUrl, readMailEvents, type Subscription } from '../../../modules/mails/events/read.ts'
import { stopReported } from '../../../modules/mails/events/stop.ts'
import type { Handler } from '../../entrance/handler.ts'
import { createLimit, tooManyRequests } from '../../limits/limiter.ts'
import { createTurns, inTurn, maxTurnsWithoutKey } from '../../limits/turns.ts'
import { clientAddress } from '../../tracking/address.ts'

type Options = { db: AppDb; now: () => Date; secret: string | undefined; trustedProxies: number; limitSecret: string }

/** SendGrid sends batches of about 768 kB. */
const maxBodyBytes = 1024 * 1024
const wrongSecretsPerMinute = 30
const confirmWithinMs = 5_000

/** The secret: as a bearer token, as the password of HTTP Basic, which can be part of the address, or as `?secret=`. */
function secretOf(incoming: Incoming): string {
  const [, scheme = '', value = ''] = /^(bearer|basic) +(\S+)$/i.exec(incoming.header('authorization') ?? '') ?? []
  if (/^bearer$/i.test(scheme)) return value
  if (scheme !== '')
    return Buffer.from(value, 'base64')
      .toString()
      .replace(/^[^:]*:/, '')
  return new URLSearchParams(incoming.search).get('secret') ?? ''
}

/** `POST /mail/events`: providers of mail report bounces and complaints. */
export function createMailEvents({ db, now, secret, trustedProxies, limitSecret }: Options): Handler {
  const limit = createLimit('mail events', wrongSecretsPerMinute, limitSecret)
  const turns = createTurns(maxTurnsWithoutKey)

  return async (incoming, { log }) => {
    if (incoming.path !== '/mail/events') return null
    if (incoming.method !== 'POST') return methodNotAllowed('POST')
    if (secret === undefined) throw refused('Set MAIL_EVENTS_SECRET to receive events of a mail provider.')
    if (!isSameSecret(secretOf(incoming), secret)) {
      const seconds = await limit(clientAddress(incoming, trustedProxies))
      if (seconds !== null) return tooManyRequests(seconds)
      throw unauthenticated('Send MAIL_EVENTS_SECRET: as ?secret= in the address, or as the password of HTTP Basic.')
    }
    const read = readMailEvents(parseJson(decodeText(await incoming.body(maxBodyBytes)), 'The body'))
    if (!read)
      throw new TributaryError(
        'INVALID_INPUT',
        'The body is not an event of Amazon SES (by SNS), Postmark, SendGrid, Mailgun or Resend, nor {"events": [{"type": "bounce" or "complaint", "email": "…"}]}.',
      )
    if (read.subscription) {
      await confirmSubscription(read.subscription)
      log.info({ topicArn: read.subscription.topicArn }, 'subscription of mail events confirmed')
    }
    const stopped = await inTurn(turns, () => stopReported(db, read, now()), { signal: incoming.signal })
    return jsonAnswer({ received: read.reports.length, stopped }, 200, { 'Cache-Control': 'no-store' })
  }
}

/** @throws INVALID_INPUT for a topic that is not of Amazon; REFUSED if Amazon does not confirm it */
async function confirmSubscription(subscription: Subscription): Promise<void> {
  const url = confirmationUrl(subscription)
  if (!url) throw new TributaryError('INVALID_INPUT', 'TopicArn is not a topic of Amazon SNS.')
  const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(confirmWithinMs) }).catch(
    () => null,
  )
  await response?.body?.cancel()
  if (!response?.ok) throw refused('Amazon SNS did not confirm the subscription. Request a new confirmation there.')
}
