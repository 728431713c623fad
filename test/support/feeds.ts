import { createHmac } from 'node:crypto'
import type { TestApp, TestProgram } from './app.ts'

export type FeedKindName = 'PADDLE' | 'LEMON_SQUEEZY' | 'CHARGEBEE' | 'POLAR' | 'GENERIC'

export const feedSecrets: Record<FeedKindName, string> = {
  PADDLE: 'pdl_ntfset_tests',
  LEMON_SQUEEZY: 'secret-of-tests',
  CHARGEBEE: 'tributary:secret-of-tests',
  POLAR: 'polar_whs_tests',
  GENERIC: 'secret-of-tests',
}

const hex = (secret: string, text: string) => createHmac('sha256', secret).update(text).digest('hex')

const headersOf: Record<
  FeedKindName,
  (body: string, secret: string, seconds: number, id: string) => Record<string, string>
> = {
  PADDLE: (body, secret, seconds) => ({ 'Paddle-Signature': `ts=${seconds};h1=${hex(secret, `${seconds}:${body}`)}` }),
  LEMON_SQUEEZY: (body, secret) => ({ 'X-Signature': hex(secret, body) }),
  CHARGEBEE: (_body, secret) => ({ Authorization: `Basic ${Buffer.from(secret).toString('base64')}` }),
  POLAR: (body, secret, seconds, id) => ({
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': `v1,${createHmac('sha256', secret).update(`${id}.${seconds}.${body}`).digest('base64')}`,
  }),
  GENERIC: (body, secret) => ({ 'X-Signature': hex(secret, body) }),
}

export async function createFeedOf(
  program: TestProgram,
  kind: FeedKindName,
  more: object = {},
): Promise<{ id: string; url: string }> {
  const input = { kind, name: kind, secret: feedSecrets[kind], ...more }
  const { createFeed } = await program.graphql(
    'mutation ($input: CreateFeedInput!) { createFeed(input: $input) { feed { id url } } }',
    { input },
  )
  return createFeed.feed
}

let number = 0

/** Sends events, signed as the billing system signs, and derives after each. Returns the statuses. */
export async function sendEvents(
  app: TestApp,
  url: string,
  kind: FeedKindName,
  events: readonly object[],
  secret = feedSecrets[kind],
) {
  const statuses: number[] = []
  for (const event of events) {
    number += 1
    const body = JSON.stringify(event)
    const seconds = Math.floor(app.clock.now.getTime() / 1000)
    const headers = { 'Content-Type': 'application/json', ...headersOf[kind](body, secret, seconds, `msg_${number}`) }
    statuses.push((await app.app.fetch(new Request(url, { method: 'POST', headers, body }))).status)
    await app.app.deriveFeeds()
  }
  return statuses
}
