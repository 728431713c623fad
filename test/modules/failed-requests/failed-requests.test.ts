import { expect, it } from 'vitest'
import { createSupersetKey } from '../../rest/convention/keys.ts'
import { createTestApp } from '../../support/app.ts'
import { createSeller } from '../../support/factories.ts'

const test = await createTestApp()
const program = await test.createProgram()
const other = await test.createProgram()

const read = async (client = program) =>
  (
    await client.graphql(
      '{ failedRequests { nodes { method path operation status code problem apiKeyId apiKeyName requestId query body } totalCount } }',
    )
  ).failedRequests

it('requests that failed are listed to the program of the key, without what they sent', async () => {
  await program.post('/affiliates?token=not-shown', { first_name: 'Ada', email: 'secret-address' })
  await program.get('/affiliates/unknown')
  await program.graphql('{ nothing }').catch(() => {})
  await program.graphql('mutation { createLink(input: { affiliateId: "x" }) { link { id } } }').catch(() => {})
  await program.get('/affiliates')
  await test.app.flush()
  const { nodes, totalCount } = await read()
  expect(totalCount).toBe(4)
  expect(nodes.reverse()).toMatchObject([
    {
      method: 'POST',
      path: '/v1/affiliates',
      status: 422,
      code: 'INVALID_INPUT',
      apiKeyId: program.keyId,
      apiKeyName: expect.any(String),
      query: 'token=…',
      body: JSON.stringify({ first_name: '…', email: '…' }, null, 2),
    },
    { method: 'GET', path: '/v1/affiliates/unknown', status: 404, code: 'NOT_FOUND' },
    { method: 'POST', path: '/graphql', code: 'GRAPHQL_VALIDATION_FAILED' },
    { method: 'POST', path: '/graphql' },
  ])
  expect(nodes[0].requestId).toMatch(/^[\w-]+$/)
  expect(JSON.stringify(nodes)).not.toMatch(/not-shown|secret-address/)
  expect((await read(other)).totalCount).toBe(0)
})

it('reports that are repeated with another amount or currency are listed, and answered as documented', async () => {
  const own = await test.createProgram()
  const superset = await createSupersetKey(test, own)
  const { coupon } = await createSeller(own)
  const sale = { coupon, amount_cents: 4_900, currency: 'usd', external_id: 'inv_1' }
  const refund = { external_id: 'inv_1', refund_external_id: 're_1', amount_cents: 100 }
  const first = await own.post('/conversions', sale)
  await own.post('/conversions/refund', refund)
  const { commission } = (await own.post('/conversions', sale)).body
  const other = { ...sale, amount_cents: 5_000, currency: 'eur' }
  const differences = ['The amount was 4900 and is 5000 now.', 'The currency was usd and is eur now.']
  const answer = await own.post('/conversions', other)
  expect([answer.status, answer.body]).toEqual([
    200,
    { object: 'conversion', duplicate: true, sale_id: first.body.sale_id, commission },
  ])
  const form = new URLSearchParams({ amount_cents: '5000', external_id: 'inv_1' })
  expect((await own.send('/conversions', { method: 'POST', body: form })).status).toBe(200)
  expect((await superset.post('/conversions', other)).body).toMatchObject({ duplicate: true, differences })
  expect((await superset.post('/conversions', sale)).body.differences).toEqual([])
  const reported = await own.graphql(
    `mutation { reportConversion(input: { externalId: "inv_1", amountCents: 5000, coupon: "${coupon}" }) { duplicate differences } }`,
  )
  expect(reported.reportConversion).toEqual({ duplicate: true, differences: differences.slice(0, 1) })
  await own.post('/conversions/refund', refund)
  await own.post('/conversions/refund', { ...refund, amount_cents: 200 })
  await own.post('/conversions?dry_run=true', other)
  await test.app.flush()
  const { nodes } = await read(own)
  const sentence = `The sale inv_1 is recorded already. ${differences.join(' ')}`
  const amountAlone = `The sale inv_1 is recorded already. ${differences[0]}`
  expect(nodes.reverse()).toMatchObject(
    [
      ['/v1/conversions', sentence],
      ['/v1/conversions', amountAlone],
      ['/v1/conversions', sentence],
      ['/graphql', amountAlone],
      ['/v1/conversions/refund', expect.stringContaining('recorded with 100, not 200')],
    ].map(([path, problem]) => ({ path, problem, status: 200, code: 'DIFFERENT_DUPLICATE' })),
  )
})

it('each problem of a request has its own line', async () => {
  const own = await test.createProgram()
  await own.post('/campaigns', {})
  await own.graphql('mutation { createCampaign(input: { name: "", url: "" }) { campaign { id } } }').catch(() => {})
  await test.app.flush()
  const { nodes } = await read(own)
  expect(nodes.length).toBe(2)
  for (const { problem } of nodes) {
    const lines = problem.split('\n')
    expect(lines.length).toBeGreaterThan(1)
    expect(lines).toContain("Name can't be blank")
  }
})

it('a client that fails all the time fills nothing, and requests are kept for seven days', async () => {
  for (let n = 0; n < 60; n += 1) await program.get('/affiliates/unknown')
  await test.app.flush()
  expect((await read()).totalCount).toBe(4 + 50)
  test.clock.advanceDays(8)
  await test.app.flush()
  expect((await read()).totalCount).toBe(0)
})
