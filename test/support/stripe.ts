import { createHmac } from 'node:crypto'
import { expect } from 'vitest'
import type { TestApp, TestProgram } from './app.ts'

/** Events as Stripe sends them, written after its published descriptions. */
export type StripeEvent = {
  id: string
  type: string
  created: number
  data: { object: Record<string, unknown> }
} & Record<string, unknown>

export const stripeSecret = 'whsec_of_the_tests'

let number = 0
let file: string | undefined

/** An event a second after the one before. Files share this module, so the times begin anew in each of them. */
export function stripeEvent(
  type: string,
  object: Record<string, unknown>,
  more: Record<string, unknown> = {},
): StripeEvent {
  const { testPath } = expect.getState()
  number = testPath === file ? number + 1 : 1
  file = testPath
  const created = 1_773_144_000 + number
  return { id: `evt_${number}`, object: 'event', type, created, livemode: true, data: { object }, ...more }
}

export const signatureOf = (body: string, seconds: number, secret = stripeSecret): string =>
  `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`

export async function createStripeFeed(program: TestProgram, fields = ''): Promise<{ id: string; url: string }> {
  const { createFeed } = await program.graphql(
    `mutation { createFeed(input: { kind: STRIPE, name: "Stripe", secret: "${stripeSecret}" ${fields} }) { feed { id url kind state } } }`,
  )
  return createFeed.feed
}

/** Sends an event to a feed, signed now. */
export async function sendStripe(app: TestApp, url: string, event: StripeEvent, headers: Record<string, string> = {}) {
  const body = JSON.stringify(event)
  const seconds = Math.floor(app.clock.now.getTime() / 1000)
  const signed = { 'Content-Type': 'application/json', 'Stripe-Signature': signatureOf(body, seconds), ...headers }
  return app.app.fetch(new Request(url, { method: 'POST', headers: signed, body }))
}

/** The outcome of each event of a feed, by its id at Stripe. */
export async function outcomesOf(program: TestProgram, feedId: string): Promise<Record<string, any>> {
  const { feedEvents } = await program.graphql(
    `query ($where: FeedEventWhere) { feedEvents(first: 100, where: $where) { nodes { externalId type outcome reason sale { externalId } } } }`,
    { where: { feedId: { equals: feedId } } },
  )
  return Object.fromEntries(feedEvents.nodes.map((node: any) => [node.externalId, node]))
}
