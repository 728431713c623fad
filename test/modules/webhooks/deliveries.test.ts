import { createHmac, timingSafeEqual } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { afterAll, describe, expect, it } from 'vitest'
import { conventionTypes, eventTypes } from '../../../src/modules/events/types.ts'
import { createTestApp, type TestProgram } from '../../support/app.ts'
import { createAffiliate, createSeller, made, reportSale } from '../../support/factories.ts'
import { createReceiver, type Received } from '../../support/receiver.ts'
import { createEndpoint, readDeliveries, readEndpoint } from '../../support/webhooks.ts'

const test = await createTestApp()
const receivers: Awaited<ReturnType<typeof createReceiver>>[] = []
afterAll(() => Promise.all(receivers.map(({ close }) => close())))

async function receiver(...args: Parameters<typeof createReceiver>) {
  const one = await createReceiver(...args)
  receivers.push(one)
  return one
}

const send = () => test.app.sendWebhooks()

const mutate = (program: TestProgram, name: string, input: string, selection: string) =>
  program.graphql(`mutation { ${name}(input: { ${input} }) { ${selection} } }`)

/** A receiver as those of the convention are: the raw body, a hex digest, no other scheme. Throws if it rejects. */
function acceptConvention({ headers, body }: Received, secret: string) {
  const digest = createHmac('sha256', secret).update(body).digest('hex')
  const given = String(headers['x-rewardful-signature'])
  if (!timingSafeEqual(Buffer.from(digest), Buffer.from(given))) throw new Error('wrong signature')
  if (headers['webhook-signature']) throw new Error('two schemes')
  const parsed = JSON.parse(body)
  if (JSON.stringify(parsed) !== body) throw new Error('not compact JSON')
  if (parsed.event.api_version !== 'v1' || !parsed.request.id) throw new Error('wrong envelope')
  return parsed
}

const acceptStandard = ({ headers, body }: Received, secret: string) =>
  new Webhook(secret).verify(body, headers as Record<string, string>) as any

describe('the standard format', () => {
  it('shows the body as it was sent, also of one that failed, of a test event, and not of one that is gone', async () => {
    const program = await test.createProgram()
    const hook = await receiver(() => ({ status: 500 }))
    const { id } = await createEndpoint(program, hook.url, 'eventTypes: ["affiliate.created"]')
    const bodies = async (): Promise<string[]> => {
      const query =
        'query ($where: WebhookDeliveryWhere) { webhookDeliveries(first: 9, where: $where) { nodes { body } } }'
      const { webhookDeliveries } = await program.graphql(query, { where: { endpointId: { equals: id } } })
      return webhookDeliveries.nodes.map(({ body }: { body: string }) => body)
    }
    await createAffiliate(program)
    await send()
    hook.answerWith(() => ({}))
    await createAffiliate(program)
    await mutate(program, 'sendTestEvent', `endpointId: "${id}" type: "affiliate.created"`, 'webhookDelivery { id }')
    await send()
    expect(hook.received).toHaveLength(3)
    expect((await bodies()).sort()).toEqual(hook.received.map(({ body }) => body).sort())
    await test.database.db.event.deleteMany({ where: { programId: program.id } })
    expect((await bodies()).filter((body) => body === null)).toHaveLength(1)
  })

  it('is accepted by the library standardwebhooks, with the event id as the id of the message', async () => {
    // The library compares the timestamp with the real clock.
    const live = await createTestApp({ startsAt: new Date().toISOString() })
    const program = await live.createProgram()
    const hook = await receiver()
    const { secret, id } = await createEndpoint(program, hook.url)
    expect(secret).toMatch(/^whsec_/)
    const affiliate = await createAffiliate(program)
    await live.app.sendWebhooks()
    const bodies = hook.received.map((one) => acceptStandard(one, secret))
    expect(bodies.map(({ type }) => type).sort()).toEqual([
      'affiliate.confirmed',
      'affiliate.created',
      'affiliate_link.created',
    ])
    const created = bodies.find(({ type }) => type === 'affiliate.created')
    expect(created).toMatchObject({ data: { id: affiliate.id, object: 'affiliate' }, version: expect.any(Number) })
    const deliveries = await readDeliveries(program, id)
    expect(deliveries.map(({ state, triesCount }) => [state, triesCount])).toEqual(
      Array(3).fill(['succeeded', 1].map((x) => (typeof x === 'string' ? 'SUCCEEDED' : x))),
    )
    expect(hook.received.map(({ headers }) => headers['webhook-id']).sort()).toEqual(
      deliveries.map(({ eventId }) => eventId).sort(),
    )
    // After a rotation, both secrets verify.
    const { rotateWebhookSecret } = await mutate(
      program,
      'rotateWebhookSecret',
      `id: "${id}", keepOldForHours: 1`,
      'secret',
    )
    hook.clear()
    await createAffiliate(program)
    await live.app.sendWebhooks()
    for (const one of hook.received) {
      expect(acceptStandard(one, secret)).toEqual(acceptStandard(one, rotateWebhookSecret.secret))
    }
    live.clock.advanceMinutes(61)
    hook.clear()
    await createAffiliate(program)
    await live.app.sendWebhooks()
    const [after] = hook.received as [Received]
    expect(String(after.headers['webhook-signature']).split(' ')).toHaveLength(1)
  })
})

describe("the convention's format", () => {
  it('has the 31 types that a receiver of the convention accepts, and no others', async () => {
    const program = await test.createProgram()
    const hook = await receiver()
    const { id, secret } = await createEndpoint(program, hook.url, ', format: CONVENTION')
    for (const type of Object.keys(conventionTypes)) {
      await mutate(program, 'sendTestEvent', `endpointId: "${id}", type: "${type}"`, 'webhookDelivery { id }')
    }
    await send()
    const events = hook.received.map((one) => acceptConvention(one, secret))
    expect(events.map(({ event }) => event.type).sort()).toEqual(Object.keys(conventionTypes).sort())
    for (const { object, event } of events) expect(object.object).toBe(event.type.split('.')[0])
    const own = eventTypes.find((type) => type.startsWith('tributary.'))
    await expect(
      mutate(program, 'sendTestEvent', `endpointId: "${id}", type: "${own}"`, 'webhookDelivery { id }'),
    ).rejects.toThrow('are not sent types')
  })

  it('sends commission.updated with the states paid and voided', async () => {
    const program = await test.createProgram()
    const { coupon } = await createSeller(program)
    const hook = await receiver()
    const { secret } = await createEndpoint(
      program,
      hook.url,
      ', format: CONVENTION, eventTypes: ["commission.updated"]',
    )
    const [one, other] = [await reportSale(program, { coupon }), await reportSale(program, { coupon })]
    await made(program.put(`/commissions/${one.commission.id}`, { paid_at: '2026-03-10T11:00:00Z' }))
    await made(program.delete(`/commissions/${other.commission.id}`))
    await send()
    const states = hook.received.map((received) => acceptConvention(received, secret).object)
    expect(new Map(states.map(({ id, state }) => [id, state]))).toEqual(
      new Map([
        [one.commission.id, 'paid'],
        [other.commission.id, 'voided'],
      ]),
    )
    expect(states[0].sale).toMatchObject({ sale_amount_cents: 10_000, affiliate: { id: expect.any(String) } })
  })

  it('is signed with the old secret until the given moment, then with the new one', async () => {
    const program = await test.createProgram()
    const hook = await receiver()
    const { id, secret } = await createEndpoint(program, hook.url, ', format: CONVENTION')
    const { rotateWebhookSecret: rotated } = await mutate(
      program,
      'rotateWebhookSecret',
      `id: "${id}", keepOldForHours: 2`,
      'secret startsAt',
    )
    await createAffiliate(program)
    await send()
    acceptConvention(hook.received[0] as Received, secret)
    hook.clear()
    test.clock.advanceMinutes(121)
    expect(new Date(rotated.startsAt).getTime()).toBeLessThan(test.clock.now.getTime())
    await createAffiliate(program)
    await send()
    acceptConvention(hook.received[0] as Received, rotated.secret)
  })
})

describe('which events are sent', () => {
  it('those of the types and conditions of the endpoint, without rolled back ones', async () => {
    const program = await test.createProgram()
    const hook = await receiver()
    const { campaign, coupon } = await createSeller(program)
    const other = await createSeller(program)
    await createEndpoint(
      program,
      hook.url,
      `, eventTypes: ["sale.created"], where: { campaignId: { equals: "${campaign.id}" } }`,
    )
    await made(program.post('/conversions?dry_run=true', { coupon, amount_cents: 100 }))
    await reportSale(program, { coupon: other.coupon })
    const { sale_id } = await reportSale(program, { coupon })
    await send()
    expect(hook.events().map(({ type, data }) => [type, data.id])).toEqual([['sale.created', sale_id]])
  })

  it('those of an amount of their own, in one currency', async () => {
    const program = await test.createProgram()
    const hook = await receiver()
    await createEndpoint(program, hook.url, ', where: { amountCents: { gte: 2000 }, currency: { equals: "USD" } }')
    const { coupon } = await createSeller(program, { commission_percent: 20, days_before_commissions_are_due: 0 })
    await reportSale(program, { coupon, amount_cents: 1_999 })
    await reportSale(program, { coupon, amount_cents: 99_000, currency: 'eur' })
    const middle = await reportSale(program, { coupon, amount_cents: 9_990 })
    const large = await reportSale(program, { coupon, amount_cents: 10_000 })
    await program.get('/payouts')
    await send()
    const sent = hook.events().map(({ type, data }) => `${type} ${data.id}`)
    expect(sent.filter((event) => /^(sale|commission|referral)/.test(event))).toEqual([
      `sale.created ${middle.sale_id}`,
      `sale.created ${large.sale_id}`,
      `commission.created ${large.commission.id}`,
    ])
    expect(sent.some((event) => event.startsWith('payout.'))).toBe(true)
  })

  it('no program but their own', async () => {
    const [program, other] = [await test.createProgram(), await test.createProgram()]
    const hook = await receiver()
    await createEndpoint(program, hook.url)
    await createAffiliate(other)
    await send()
    expect(hook.received).toEqual([])
  })
})

describe('a failed try', () => {
  it('is repeated with growing pauses and the same bytes, until it succeeds', async () => {
    const program = await test.createProgram()
    const hook = await receiver(() => ({ status: 500, body: 'x'.repeat(30_000) }))
    const { id } = await createEndpoint(program, hook.url, ', eventTypes: ["affiliate.created"]')
    const affiliate = await createAffiliate(program, { first_name: 'Ada' })
    await send()
    await made(program.put(`/affiliates/${affiliate.id}`, { first_name: 'Grace' }))
    const pauses = [5 / 60, 0.5, 2, 10, 60]
    for (const minutes of pauses) {
      await send()
      const count = hook.received.length
      test.clock.advanceMinutes(minutes * 0.9)
      await send()
      expect(hook.received).toHaveLength(count)
      test.clock.advanceMinutes(minutes * 0.4)
      await send()
      expect(hook.received).toHaveLength(count + 1)
    }
    expect(new Set(hook.received.map(({ body }) => body)).size).toBe(1)
    expect(new Set(hook.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    const [failing] = await readDeliveries(program, id)
    expect(failing).toMatchObject({ state: 'PENDING', triesCount: 6 })
    expect(failing.tries[0]).toMatchObject({ status: 500, error: null })
    expect(failing.tries[0].response).toHaveLength(1024)
    expect(await readEndpoint(program, id)).toMatchObject({ state: 'FAILING' })
    hook.answerWith(() => ({ status: 204 }))
    test.clock.advanceMinutes(150)
    await send()
    expect(await readDeliveries(program, id)).toMatchObject([{ state: 'SUCCEEDED', triesCount: 7 }])
    expect(await readEndpoint(program, id)).toMatchObject({ state: 'ACTIVE', failingSince: null })
  })

  it('waits as long as Retry-After says', async () => {
    const program = await test.createProgram()
    const hook = await receiver(() => ({ status: 429, headers: { 'Retry-After': '600' } }))
    await createEndpoint(program, hook.url, ', eventTypes: ["affiliate.created"]')
    await createAffiliate(program)
    await send()
    test.clock.advanceMinutes(9)
    await send()
    expect(hook.received).toHaveLength(1)
    test.clock.advanceMinutes(1.1)
    await send()
    expect(hook.received).toHaveLength(2)
  })

  it('of the convention is every status but 200; a redirect is not followed', async () => {
    const program = await test.createProgram()
    const other = await receiver()
    const hook = await receiver(() => ({ status: 204 }))
    const { id } = await createEndpoint(program, hook.url, ', format: CONVENTION, eventTypes: ["affiliate.created"]')
    await createAffiliate(program)
    await send()
    expect(await readDeliveries(program, id)).toMatchObject([{ state: 'PENDING' }])
    hook.answerWith(() => ({ status: 302, headers: { Location: other.url } }))
    test.clock.advanceMinutes(1)
    await send()
    expect(other.received).toEqual([])
    expect((await readDeliveries(program, id))[0].tries.map(({ status }: any) => status)).toEqual([204, 302])
  })

  it('with 410 disables the endpoint at once', async () => {
    const program = await test.createProgram()
    const hook = await receiver(() => ({ status: 410 }))
    const { id } = await createEndpoint(program, hook.url, ', eventTypes: ["affiliate.created"]')
    await createAffiliate(program)
    await send()
    expect(await readEndpoint(program, id)).toMatchObject({ state: 'DISABLED', disabledReason: 'GONE' })
    await createAffiliate(program)
    await send()
    expect(hook.received).toHaveLength(1)
  })

  it('for three days disables the endpoint; replayEvents brings back what it missed', async () => {
    const program = await test.createProgram()
    const hook = await receiver(() => ({ status: 503 }))
    const { id } = await createEndpoint(program, hook.url, ', eventTypes: ["affiliate.created"]')
    const first = await createAffiliate(program)
    for (let hours = 0; hours < 84; hours += 4) {
      await send()
      test.clock.advanceMinutes(240)
    }
    expect(await readEndpoint(program, id)).toMatchObject({ state: 'DISABLED', disabledReason: 'FAILING' })
    const { events } = await program.graphql('{ events(first: 1) { nodes { type } } }')
    expect(events.nodes).toEqual([{ type: 'tributary.webhook_endpoint.disabled' }])
    const missed = await createAffiliate(program)
    hook.answerWith(() => ({}))
    hook.clear()
    await mutate(program, 'enableWebhookEndpoint', `id: "${id}"`, 'webhookEndpoint { state }')
    const { replayEvents } = await mutate(
      program,
      'replayEvents',
      `endpointId: "${id}", includeDelivered: false`,
      'count isComplete',
    )
    expect(replayEvents).toEqual({ count: 2, isComplete: true })
    await send()
    expect(new Set(hook.events().map(({ data }) => data.id))).toEqual(new Set([first.id, missed.id]))
  })
})

describe('sending again', () => {
  it('redeliver sends the event of a delivery, replayEvents those that match', async () => {
    const program = await test.createProgram()
    const hook = await receiver()
    const { id } = await createEndpoint(program, hook.url, ', eventTypes: ["affiliate.created"]')
    const [one] = [await createAffiliate(program), await createAffiliate(program)]
    await send()
    const [delivery] = await readDeliveries(program, id)
    await mutate(program, 'redeliver', `deliveryId: "${delivery.id}"`, 'webhookDelivery { id state }')
    await send()
    expect(hook.received).toHaveLength(3)
    hook.clear()
    const where = `where: { subjectId: { equals: "${one.id}" } }`
    const { replayEvents } = await mutate(program, 'replayEvents', `endpointId: "${id}", ${where}`, 'count')
    expect(replayEvents.count).toBe(1)
    await send()
    expect(hook.events().map(({ data }) => data.id)).toEqual([one.id])
  })

  it('redeliver tries a pending delivery at once, and makes no second one', async () => {
    const program = await test.createProgram()
    const hook = await receiver(() => ({ status: 500 }))
    const { id } = await createEndpoint(program, hook.url, ', eventTypes: ["affiliate.created"]')
    await createAffiliate(program)
    await send()
    hook.answerWith(() => ({}))
    const [pending] = await readDeliveries(program, id)
    const { redeliver } = await mutate(program, 'redeliver', `deliveryId: "${pending.id}"`, 'webhookDelivery { id }')
    expect(redeliver.webhookDelivery.id).toBe(pending.id)
    await send()
    expect(await readDeliveries(program, id)).toMatchObject([{ id: pending.id, state: 'SUCCEEDED' }])
    expect(hook.received).toHaveLength(2)
    // Nothing is left for later.
    test.clock.advanceMinutes(600)
    await send()
    expect(hook.received).toHaveLength(2)
  })

  it('of an endpoint that is deleted, nothing is left', async () => {
    const program = await test.createProgram()
    const hook = await receiver()
    const { id } = await createEndpoint(program, hook.url)
    await createAffiliate(program)
    await send()
    await mutate(program, 'deleteWebhookEndpoint', `id: "${id}"`, 'deletedId')
    expect(await test.database.db.webhookDelivery.count({ where: { programId: program.id } })).toBe(0)
  })
})
