import { describe, expect, it } from 'vitest'
import { publicSchema } from '../../../src/schema/schema.ts'
import { adminToken, createTestApp } from '../../support/app.ts'
import { subscribe } from '../../support/events.ts'
import { createAffiliate, createSeller, listed, made, reportSale } from '../../support/factories.ts'

const test = await createTestApp({ subscriptions: { checkEveryMs: 100, maxPerProgram: 3, maxPending: 5 } })
const { fetch } = test.app
const sales = 'subscription { saleReported { id externalId amountCents affiliate { email } } }'
const commissions = 'subscription { commissionChanged { id state amountCents } }'

const within = <T>(promise: Promise<T>, ms: number) =>
  Promise.race([promise, new Promise<'nothing'>((resolve) => setTimeout(() => resolve('nothing'), ms))])

describe('events', () => {
  it('saleReported is sent once per sale', async () => {
    const program = await test.createProgram()
    const { coupon, affiliate } = await createSeller(program)
    const events = await subscribe(fetch, program, sales)
    expect(events.response.headers.get('content-type')).toContain('text/event-stream')
    const { sale_id: id } = await reportSale(program, { coupon, external_id: 'inv_1' })
    const saleReported = { id, externalId: 'inv_1', amountCents: 10_000, affiliate: { email: affiliate.email } }
    expect(await events.next()).toEqual({ data: { saleReported } })
    await reportSale(program, { coupon, external_id: 'inv_1' })
    await reportSale(program, { coupon, external_id: 'inv_2' })
    expect(await events.next()).toMatchObject({ data: { saleReported: { externalId: 'inv_2' } } })
    await events.close()
  })

  it('are also sent over GET', async () => {
    const program = await test.createProgram()
    const { coupon } = await createSeller(program)
    const headers = { Authorization: `Bearer ${program.secret}`, Accept: 'text/event-stream' }
    const response = await fetch(
      new Request(`http://localhost:4000/graphql?query=${encodeURIComponent(sales)}`, { headers }),
    )
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream'])
    const reader = response.body?.getReader()
    await reportSale(program, { coupon })
    let text = ''
    while (!text.includes('saleReported')) text += new TextDecoder().decode((await reader?.read())?.value)
    await reader?.cancel()
  })

  it('commissionChanged is sent when a commission is earned, amended or voided', async () => {
    const program = await test.createProgram()
    const { coupon } = await createSeller(program)
    const events = await subscribe(fetch, program, commissions)
    const { id } = (await reportSale(program, { coupon })).commission
    expect(await events.next()).toEqual({ data: { commissionChanged: { id, state: 'PENDING', amountCents: 1_000 } } })
    await made(program.put(`/commissions/${id}`, { amount: 700 }))
    expect(await events.next()).toEqual({ data: { commissionChanged: { id, state: 'PENDING', amountCents: 700 } } })
    await made(program.delete(`/commissions/${id}`))
    expect(await events.next()).toEqual({ data: { commissionChanged: { id, state: 'VOID', amountCents: 700 } } })
    await events.close()
  })

  it('payoutPaid is sent once, with commissionChanged for its commissions', async () => {
    const program = await test.createProgram()
    const { coupon } = await createSeller(program, { days_before_commissions_are_due: 0 })
    const { commission } = await reportSale(program, { coupon })
    const [payout] = await listed(program, '/payouts')
    const paid = await subscribe(fetch, program, 'subscription { payoutPaid { id amountCents paidAt } }')
    const changed = await subscribe(fetch, program, commissions)
    await made(program.post(`/payouts/${payout.id}/pay`))
    const payoutPaid = { id: payout.id, amountCents: 1_000, paidAt: '2026-03-10T12:00:00.000Z' }
    expect(await paid.next()).toEqual({ data: { payoutPaid } })
    expect(await changed.next()).toMatchObject({ data: { commissionChanged: { id: commission.id, state: 'PAID' } } })
    await made(program.post(`/payouts/${payout.id}/pay`))
    expect(await within(paid.next(), 200)).toBe('nothing')
    await Promise.all([paid.close(), changed.close()])
  })

  it("can be limited to one affiliate's commissions", async () => {
    const program = await test.createProgram()
    const [mine, other] = [await createSeller(program), await createSeller(program)]
    const query = `subscription { commissionChanged(affiliateId: "${mine.affiliate.id}") { affiliate { id } } }`
    const events = await subscribe(fetch, program, query)
    await reportSale(program, { coupon: other.coupon })
    await reportSale(program, { coupon: mine.coupon })
    expect(await events.next()).toEqual({ data: { commissionChanged: { affiliate: { id: mine.affiliate.id } } } })
    expect(await within(events.next(), 200)).toBe('nothing')
    await events.close()
  })

  it('of a sandbox use its own clock', async () => {
    const program = await test.createProgram({ isSandbox: true })
    const { coupon } = await createSeller(program, { days_before_commissions_are_due: 10 })
    const events = await subscribe(fetch, program, commissions)
    const { id } = (await reportSale(program, { coupon })).commission
    expect(await events.next()).toMatchObject({ data: { commissionChanged: { state: 'PENDING' } } })
    await test.database.db.program.update({ where: { id: program.id }, data: { clockAdvancedByDays: 20 } })
    await made(program.put(`/commissions/${id}`, { amount: 700 }))
    expect(await events.next()).toMatchObject({ data: { commissionChanged: { state: 'DUE' } } })
    await events.close()
  })
})

describe('access', () => {
  it("another program's key gets no events, and rolled back changes send no events", async () => {
    const [program, other] = [await test.createProgram(), await test.createProgram()]
    const { coupon } = await createSeller(program)
    const events = await subscribe(fetch, other, sales)
    const own = await subscribe(fetch, program, sales)
    await made(program.post('/conversions?dry_run=true', { coupon, amount_cents: 100 }))
    await reportSale(program, { coupon, external_id: 'written' })
    expect(await own.next()).toMatchObject({ data: { saleReported: { externalId: 'written' } } })
    expect(await within(events.next(), 200)).toBe('nothing')
    await Promise.all([events.close(), own.close()])
  })

  const fields = Object.keys(publicSchema.getSubscriptionType()?.getFields() ?? {})
  it.each(fields)('%s needs a key, and a program when the operator subscribes', async (field) => {
    const query = `subscription { ${field} { __typename } }`
    const { response } = await subscribe(fetch, { secret: 'trib_sk_none' }, query)
    expect(response.status).toBe(401)
    const events = await subscribe(fetch, { secret: adminToken }, query)
    expect((await events.next()).errors[0].extensions.code).toBe('FORBIDDEN')
  })

  it('a revoked key ends the subscription at the next check', async () => {
    const program = await test.createProgram()
    const events = await subscribe(fetch, program, sales)
    await test.database.db.apiKey.updateMany({
      where: { programId: program.id, id: program.keyId },
      data: { revokedAt: new Date() },
    })
    expect((await events.next()).errors[0].extensions.code).toBe('UNAUTHENTICATED')
    expect(await events.next()).toBeNull()
  })
})

describe('limits', () => {
  it('rejects subscriptions beyond the limit of a program, until one ends', async () => {
    const program = await test.createProgram()
    const open = []
    for (let count = 0; count < 3; count += 1) open.push(await subscribe(fetch, program, sales))
    const refused = await (await subscribe(fetch, program, sales)).next()
    expect(refused.errors[0]).toMatchObject({
      message: 'A program may have 3 subscriptions at a time. End one of them.',
      extensions: { code: 'REFUSED' },
    })
    const other = await test.createProgram()
    await (await subscribe(fetch, other, sales)).close()
    await open[0]?.close()
    const { coupon } = await createSeller(program)
    const events = await subscribe(fetch, program, sales)
    await reportSale(program, { coupon })
    expect(await events.next()).toMatchObject({ data: { saleReported: {} } })
    await Promise.all([...open.slice(1), events].map(({ close }) => close()))
  })

  it('a subscription with an unsupported Accept does not count', async () => {
    const program = await test.createProgram()
    for (let count = 0; count < 5; count += 1) {
      const response = await fetch(
        new Request('http://localhost:4000/graphql', {
          method: 'POST',
          headers: {
            Authorization: `Bearer ${program.secret}`,
            'Content-Type': 'application/json',
            Accept: 'application/json',
          },
          body: JSON.stringify({ query: sales }),
        }),
      )
      expect(response.status).toBe(406)
    }
  })

  it('a disconnected client does not count', async () => {
    const program = await test.createProgram()
    for (let count = 0; count < 5; count += 1) {
      const away = new AbortController()
      const statusNow = async () => (await subscribe(fetch, program, sales, { signal: away.signal })).response.status
      await expect.poll(statusNow).toBe(200)
      away.abort()
    }
  })

  it('ends with an error when events arrive faster than they are read', async () => {
    const program = await test.createProgram()
    const { coupon } = await createSeller(program)
    const long = Array.from({ length: 10 }, (_, index) => `name${index}: customerName`).join(' ')
    const events = await subscribe(fetch, program, `subscription { saleReported { ${long} } }`)
    for (let count = 0; count < 40; count += 1) await reportSale(program, { coupon, customer_name: 'x'.repeat(255) })
    let event = await events.next()
    while (event?.data) event = await events.next()
    expect(event.errors[0]).toMatchObject({
      message: expect.stringContaining('subscribe again'),
      extensions: { code: 'UNAVAILABLE' },
    })
    expect(await events.next()).toBeNull()
  })

  it('subscriptions hold no turn between events', async () => {
    const programs = await Promise.all(Array.from({ length: 10 }, () => test.createProgram()))
    const open = await Promise.all(programs.flatMap((program) => [1, 2, 3].map(() => subscribe(fetch, program, sales))))
    const [program] = programs
    if (!program) throw new Error('no program')
    expect((await createAffiliate(program)).id).toBeDefined()
    await Promise.all(open.map(({ close }) => close()))
  })
})

it('a shutdown ends subscriptions and accepts no new ones', async () => {
  const stopping = await createTestApp()
  const program = await stopping.createProgram()
  const events = await subscribe(stopping.app.fetch, program, sales)
  stopping.app.stop()
  expect(await events.next()).toBeNull()
  expect((await (await subscribe(stopping.app.fetch, program, sales)).next()).errors[0].extensions.code).toBe(
    'UNAVAILABLE',
  )
})
