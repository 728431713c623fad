import { expect, it } from 'vitest'
import { createTestApp, type TestProgram } from '../../support/app.ts'
import { subscribe } from '../../support/events.ts'
import { createSeller, made, reportSale } from '../../support/factories.ts'

const test = await createTestApp({ subscriptions: { maxPerProgram: 8, maxPerAffiliate: 2 } })
const mine = 'subscription { myCommissionChanged { id state amountCents } }'

async function tokenOf(program: TestProgram, id: string): Promise<string> {
  const mutation = 'mutation ($id: ID!) { createAffiliateToken(input: { affiliateId: $id }) { token } }'
  return (await program.graphql(mutation, { id })).createAffiliateToken.token
}

it('an affiliate token gets changes of its own commissions, and no others', async () => {
  const program = await test.createProgram()
  const [one, two] = [await createSeller(program), await createSeller(program)]
  const secret = await tokenOf(program, one.affiliate.id)
  const events = await subscribe(test.app.fetch, { secret }, mine)
  await made(reportSale(program, { coupon: two.coupon }))
  const { id } = (await reportSale(program, { coupon: one.coupon, amount_cents: 5_000 })).commission
  expect(await events.next()).toEqual({ data: { myCommissionChanged: { id, state: 'PENDING', amountCents: 500 } } })
  await made(reportSale(program, { coupon: two.coupon }))
  await made(program.delete(`/commissions/${id}`))
  expect(await events.next()).toEqual({ data: { myCommissionChanged: { id, state: 'VOID', amountCents: 500 } } })
  await events.close()
})

it('is refused to API keys, and other subscriptions to affiliates', async () => {
  const program = await test.createProgram()
  const { affiliate } = await createSeller(program)
  const secret = await tokenOf(program, affiliate.id)
  const errorOf = async (caller: { secret: string }, query: string) => {
    const events = await subscribe(test.app.fetch, caller, query)
    const { errors } = await events.next()
    return errors[0].extensions.code
  }
  expect(await errorOf(program, mine)).toBe('FORBIDDEN')
  for (const query of [
    'subscription { commissionChanged { id } }',
    'subscription { saleReported { id } }',
    'subscription { eventRecorded { id } }',
  ])
    expect([query, await errorOf({ secret }, query)]).toEqual([query, 'FORBIDDEN'])
})

it('affiliates have a limit of their own, and leave half of the subscriptions to the program', async () => {
  const program = await test.createProgram()
  const open: { close(): Promise<unknown> }[] = []
  const begin = async (secret: string) => void open.push(await subscribe(test.app.fetch, { secret }, mine))
  const refusal = async (secret: string) =>
    (await (await subscribe(test.app.fetch, { secret }, mine)).next()).errors[0].message
  const sellers = [await createSeller(program), await createSeller(program), await createSeller(program)]
  const tokens = await Promise.all(sellers.map(({ affiliate }) => tokenOf(program, affiliate.id)))
  const [first = '', second = '', third = ''] = tokens
  for (const token of [first, first]) await begin(token)
  expect(await refusal(first)).toContain('2 subscriptions')
  for (const token of [second, second]) await begin(token)
  expect(await refusal(third)).toContain('too many subscriptions of affiliates')
  const events = await subscribe(test.app.fetch, program, 'subscription { commissionChanged { id } }')
  expect(events.response.status).toBe(200)
  await Promise.all([...open, events].map((one) => one.close()))
})
