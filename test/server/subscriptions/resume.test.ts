import { expect, it } from 'vitest'
import { createTestApp, type TestProgram } from '../../support/app.ts'
import { subscribe } from '../../support/events.ts'
import { createAffiliate, createSeller, made, reportSale } from '../../support/factories.ts'

const test = await createTestApp({ subscriptions: { maxPending: 20 } })
const fetch = (request: Request) => test.app.fetch(request)

const newest = async (program: TestProgram, where = '') => {
  const { events } = await program.graphql(`{ events(first: 1 ${where}) { nodes { id } } }`)
  return events.nodes[0].id as string
}

it('a subscription after an event sends all later ones, then those that happen, each once and in order', async () => {
  const program = await test.createProgram()
  const { coupon } = await createSeller(program)
  await reportSale(program, { coupon, external_id: 'before' })
  const after = await newest(program)
  // More than may be pending for a reader: they come from the log.
  for (let count = 0; count < 30; count += 1) await reportSale(program, { coupon, external_id: `missed-${count}` })
  const query = `subscription { eventRecorded(after: "${after}", types: ["sale.created"]) { id type data } }`
  const events = await subscribe(fetch, program, query)
  const ids: string[] = []
  const next = async () => {
    const { data } = await events.next()
    ids.push(data.eventRecorded.data.stripe_charge_id)
  }
  // Events of the seconds before `after` can come again.
  await next()
  if (ids[0] === 'before') ids.pop()
  while (ids.length < 30) await next()
  await reportSale(program, { coupon, external_id: 'live' })
  await next()
  expect(ids).toEqual([...Array.from({ length: 30 }, (_, count) => `missed-${count}`), 'live'])
  await events.close()
})

it('the subscriptions of sales, commissions and payouts can begin after an event too', async () => {
  const program = await test.createProgram()
  const { coupon } = await createSeller(program)
  const after = await newest(program)
  const { sale_id, commission } = await reportSale(program, { coupon })
  await made(program.put(`/commissions/${commission.id}`, { amount: 1 }))
  const sales = await subscribe(fetch, program, `subscription { saleReported(after: "${after}") { id } }`)
  expect(await sales.next()).toEqual({ data: { saleReported: { id: sale_id } } })
  const changed = await subscribe(
    fetch,
    program,
    `subscription { commissionChanged(after: "${after}") { amountCents } }`,
  )
  expect(await changed.next()).toEqual({ data: { commissionChanged: { amountCents: 1 } } })
  await Promise.all([sales.close(), changed.close()])
})

it('a subscription sees no events of another program, and rejects text that is not an id', async () => {
  const [program, other] = [await test.createProgram(), await test.createProgram()]
  await createAffiliate(other)
  const after = await newest(other)
  await createAffiliate(other)
  const events = await subscribe(
    fetch,
    program,
    `subscription { eventRecorded(after: "${after}", types: ["affiliate.created"]) { type } }`,
  )
  const { id } = await createAffiliate(program)
  expect(await events.next()).toEqual({ data: { eventRecorded: { type: 'affiliate.created' } } })
  expect(id).toBeDefined()
  const wrong = await subscribe(fetch, program, 'subscription { eventRecorded(after: "yesterday") { id } }')
  expect((await wrong.next()).errors[0]).toMatchObject({ message: 'after must be the id of an event.' })
  await Promise.all([events.close(), wrong.close()])
})
