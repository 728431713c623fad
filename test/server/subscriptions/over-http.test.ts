import { createServer, request as httpRequest, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestApp } from '../../support/app.ts'
import { createSeller, reportSale } from '../../support/factories.ts'

const test = await createTestApp({ subscriptions: { maxPerProgram: 1 } })
const server = createServer((request, response) => test.app.handle(request, response))
let port: number

beforeAll(async () => {
  port = await new Promise((resolve) => server.listen(0, () => resolve((server.address() as AddressInfo).port)))
})
afterAll(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

const begin = (secret: string) =>
  new Promise<IncomingMessage>((resolve, reject) => {
    const headers = { Authorization: `Bearer ${secret}`, Accept: 'text/event-stream' }
    const path = `/graphql?query=${encodeURIComponent('subscription { saleReported { externalId } }')}`
    httpRequest({ port, path, headers }, resolve).on('error', reject).end()
  })

/** Reads until the text contains `end`. */
async function until(response: IncomingMessage, end: string): Promise<string> {
  let text = ''
  await new Promise<void>((resolve, reject) => {
    response.on('close', () => reject(new Error(text)))
    response.on('data', (chunk: Buffer) => {
      text += chunk
      if (text.includes(end)) resolve()
    })
  })
  return text
}

it('sends events and keep-alives over HTTP, and frees the subscription when the client disconnects', async () => {
  const program = await test.createProgram()
  const { coupon } = await createSeller(program)
  for (const external_id of ['inv_1', 'inv_2']) {
    // The one before is freed once its end has arrived.
    let response = await begin(program.secret)
    while (response.statusCode !== 200) response = await begin(program.secret)
    expect(response.headers).toMatchObject({ 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' })
    await until(response, ':\n\n')
    await reportSale(program, { coupon, external_id })
    const text = await until(response, '}}}')
    expect(text).toContain(`event: next\ndata: {"data":{"saleReported":{"externalId":"${external_id}"}}}`)
    response.destroy()
  }
})

it('an open subscription does not block a shutdown', async () => {
  const program = await test.createProgram()
  const response = await begin(program.secret)
  test.app.stop()
  let text = ''
  for await (const chunk of response) text += chunk
  expect(text).toContain('event: complete')
  expect(response.complete).toBe(true)
})
