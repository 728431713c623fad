import { expect, it } from 'vitest'
import { createTestApp, type TestProgram } from '../../support/app.ts'
import { createSeller, reportSale } from '../../support/factories.ts'

const test = await createTestApp()
const query = 'subscription { saleReported { externalId } }'

const begin = (program: TestProgram, accept: string, text = query) =>
  test.app.fetch(
    new Request('http://localhost:4000/graphql', {
      method: 'POST',
      headers: { Authorization: `Bearer ${program.secret}`, 'Content-Type': 'application/json', Accept: accept },
      body: JSON.stringify({ query: text }),
    }),
  )

it("sends a subscription in Apollo's multipart transport, each part with the boundary that ends it", async () => {
  const program = await test.createProgram()
  const { coupon } = await createSeller(program)
  const response = await begin(program, 'multipart/mixed;boundary=graphql;subscriptionSpec=1.0,application/json')
  expect([response.status, response.headers.get('content-type'), response.headers.get('x-accel-buffering')]).toEqual([
    200,
    'multipart/mixed;boundary="graphql";subscriptionSpec="1.0"',
    'no',
  ])
  const reader = response.body?.getReader() as ReadableStreamDefaultReader<Uint8Array>
  let text = ''
  const readUntil = async (end: string) => {
    while (!text.includes(end)) text += new TextDecoder().decode((await reader.read()).value)
  }
  await readUntil('{}\r\n--graphql')
  await reportSale(program, { coupon, external_id: 'inv_1' })
  await readUntil('inv_1')
  expect(text).toContain(
    '\r\n--graphql\r\nContent-Type: application/json\r\n\r\n{"payload":{"data":{"saleReported":{"externalId":"inv_1"}}}}\r\n--graphql',
  )
  await reader.cancel()
})

it('ends the parts when the service stops', async () => {
  const other = await createTestApp()
  const program = await other.createProgram()
  const headers = {
    Authorization: `Bearer ${program.secret}`,
    Accept: 'multipart/mixed; subscriptionSpec="1.0", application/json',
  }
  const response = await other.app.fetch(
    new Request(`http://localhost:4000/graphql?query=${encodeURIComponent(query)}`, { headers }),
  )
  const whole = response.text()
  other.app.stop()
  expect(await whole).toMatch(/\r\n--graphql--\r\n$/)
})

it('an error before the subscription is plain JSON', async () => {
  const program = await test.createProgram()
  const accept = 'multipart/mixed;boundary=graphql;subscriptionSpec=1.0,application/json'
  const response = await begin(program, accept, 'subscription { nothing }')
  expect(response.headers.get('content-type')).toContain('application/json')
  expect((await response.json()).errors[0].message).toContain('nothing')
})

it('406 says what a subscription needs, and frees it', async () => {
  const program = await test.createProgram()
  for (let n = 0; n < 105; n += 1) {
    const response = await begin(program, 'application/json')
    const { errors } = (await response.json()) as { errors: { message: string; extensions: { code: string } }[] }
    expect([response.status, errors[0]?.extensions.code]).toEqual([406, 'NOT_ACCEPTABLE'])
    expect(errors[0]?.message).toContain('text/event-stream')
  }
  expect((await begin(program, 'multipart/mixed')).status).toBe(406)
})
