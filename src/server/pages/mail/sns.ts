import { LRUCache } from 'lru-cache'
import { refused, TributaryError, unavailable } from '../../../kernel/errors.ts'
import { confirmationUrl, type Subscription } from '../../../modules/mails/events/read-report.ts'
import type { Signed } from '../../../modules/mails/events/sns-signature.ts'

const askWithinMs = 5_000
const maxCertificateBytes = 64 * 1024
/** Amazon has one certificate in use for each region. */
const certificatesPerMinute = 10

/** Certificates come from Amazon's host by HTTPS, and are cached, because their addresses change with them. */
export function createSnsSignatures() {
  const certificates = new LRUCache<string, string>({ max: 20, ttl: 86_400_000 })
  let asked: number[] = []

  async function certificateAt(url: string): Promise<string> {
    const known = certificates.get(url)
    if (known !== undefined) return known
    // Somebody who does not know the topic can name addresses that do not exist.
    asked = asked.filter((at) => Date.now() - at < 60_000)
    if (asked.length >= certificatesPerMinute) throw unavailable()
    asked.push(Date.now())
    const text = await read(url)
    if (text === null)
      throw unavailable('The certificate of Amazon SNS could not be read. Send the message again later.')
    certificates.set(url, text)
    return text
  }

  /** @throws UNAVAILABLE if Amazon does not answer, so that the message is sent again */
  return async (signed: Signed): Promise<boolean> => signed.isOf(await certificateAt(signed.certificateUrl))
}

async function read(url: string): Promise<string | null> {
  try {
    const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(askWithinMs) })
    const text = await response.text()
    return response.ok && text.length <= maxCertificateBytes ? text : null
  } catch {
    return null
  }
}

/**
 * @param expected the topic of the setting
 * @throws INVALID_INPUT for a topic that is not of Amazon; REFUSED for another topic, or if Amazon does not confirm it
 */
export async function confirmSubscription(subscription: Subscription, expected: string | undefined): Promise<void> {
  const url = confirmationUrl(subscription)
  if (!url) throw new TributaryError('INVALID_INPUT', 'TopicArn is not a topic of Amazon SNS.')
  if (subscription.topicArn !== expected)
    throw refused(`Set MAIL_EVENTS_TOPIC_ARN to the topic ${subscription.topicArn} to confirm its subscription.`)
  const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(askWithinMs) }).catch(() => null)
  await response?.body?.cancel()
  if (!response?.ok) throw refused('Amazon SNS did not confirm the subscription. Request a new confirmation there.')
}
