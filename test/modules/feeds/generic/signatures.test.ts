import { createHmac } from 'node:crypto'
import { expect, it } from 'vitest'
import { createTestApp, type TestProgram } from '../../../support/app.ts'
import { createFeedOf } from '../../../support/feeds.ts'

const app = await createTestApp()
const secret = 'secret-of-tests'
const seconds = () => String(Math.floor(app.clock.now.getTime() / 1000))
const body = '{"type":"other","id":1}'

async function send(url: string, text: string, headers: Record<string, string>) {
  const response = await app.app.fetch(new Request(url, { method: 'POST', headers, body: text }))
  return { status: response.status, body: await response.json() }
}
const hmac = (text: string, encoding: 'hex' | 'base64', algorithm = 'sha256') =>
  createHmac(algorithm, secret).update(text).digest(encoding)

const idsOf = async (program: TestProgram) => {
  const { feedEvents } = await program.graphql('{ feedEvents { nodes { externalId raw type } } }')
  return feedEvents.nodes
}

it('takes the signatures of Shopify, WooCommerce, Recurly, Creem, Paystack and others', async () => {
  const program = await app.createProgram()
  const base64 = hmac(body, 'base64')
  const timed = (time: string) => `${time},${'0'.repeat(64)},${hmac(`${time}.${body}`, 'hex')}`
  const cases: [object, Record<string, string>][] = [
    [{ preset: 'SHOPIFY' }, { 'X-Shopify-Hmac-Sha256': base64 }],
    [{ preset: 'WOOCOMMERCE' }, { 'X-WC-Webhook-Signature': base64 }],
    [
      { signatureHeader: 'recurly-signature', signatureContent: 'TIME_AND_BODY' },
      { 'recurly-signature': timed(`${seconds()}123`) },
    ],
    [{ signatureHeader: 'Own-Signature', signatureContent: 'TIME_AND_BODY' }, { 'own-signature': timed(seconds()) }],
    [{ signatureHeader: 'creem-signature' }, { 'creem-signature': hmac(body, 'hex').toUpperCase() }],
    [
      { signatureHeader: 'X-Paystack-Signature', signatureAlgorithm: 'SHA512' },
      { 'x-paystack-signature': hmac(body, 'hex', 'sha512') },
    ],
    [
      { signatureHeader: 'X-Own', signaturePrefix: 'sha256=', signatureEncoding: 'BASE64' },
      { 'X-Own': `sha256=${base64}` },
    ],
  ]
  for (const [settings, headers] of cases) {
    const { url } = await createFeedOf(program, 'GENERIC', settings)
    expect([settings, await send(url, body, headers)]).toMatchObject([settings, { status: 200 }])
    expect((await send(url, `${body} `, headers)).status).toBe(400)
    // What a feed with its own header takes is signed there, and nowhere else.
    expect((await send(url, body, { 'X-Signature': hmac(body, 'hex') })).status).toBe(400)
    expect((await send(url, body, { Authorization: `Bearer ${secret}` })).status).toBe(400)
  }
})

it('rejects a signature with an old time', async () => {
  const program = await app.createProgram()
  const settings = { signatureHeader: 'recurly-signature', signatureContent: 'TIME_AND_BODY' }
  const { url } = await createFeedOf(program, 'GENERIC', settings)
  const time = `${Number(seconds()) - 400}000`
  const answer = await send(url, body, { 'recurly-signature': `${time},${hmac(`${time}.${body}`, 'hex')}` })
  expect(answer).toMatchObject({ status: 400, body: { error: expect.stringContaining('replay') } })
})

it('takes the id of an event from webhook-id only if that is signed', async () => {
  const program = await app.createProgram()
  const { url } = await createFeedOf(program, 'GENERIC')
  const plain = { 'X-Signature': hmac(body, 'hex') }
  expect((await send(url, body, { ...plain, 'webhook-id': 'msg_1' })).body).toMatchObject({ duplicate: false })
  expect((await send(url, body, { ...plain, 'webhook-id': 'msg_2' })).body).toMatchObject({ duplicate: true })
  const signature = `v1,${hmac(`msg_3.${seconds()}.${body}`, 'base64')}`
  const standard = { 'webhook-id': 'msg_3', 'webhook-timestamp': seconds(), 'webhook-signature': signature }
  expect((await send(url, body, standard)).body).toMatchObject({ duplicate: false })
  expect((await idsOf(program)).map(({ externalId }: any) => externalId)).toEqual([
    'msg_3',
    expect.stringMatching(/^[0-9a-f]{32}$/),
  ])
})

it('reads a form as a JSON object with the names as they are', async () => {
  const program = await app.createProgram()
  const { url } = await createFeedOf(program, 'GENERIC', { bodyFormat: 'FORM' })
  const form = 'type=paid&order%5Bid%5D=7&item=a&item=b%20c&__proto__=x'
  expect(await send(url, form, { 'X-Signature': hmac(form, 'hex') })).toMatchObject({ status: 200 })
  const [{ raw, type }] = await idsOf(program)
  expect([raw, type]).toEqual(['{"type":"paid","order[id]":"7","item":["a","b c"],"__proto__":"x"}', 'paid'])
  const many = 'a=1&'.repeat(2_000)
  expect((await send(url, many, { 'X-Signature': hmac(many, 'hex') })).status).toBe(400)
})

it('answers the ping with which WooCommerce saves a webhook, and stores nothing', async () => {
  const program = await app.createProgram()
  const { url } = await createFeedOf(program, 'GENERIC', { preset: 'WOOCOMMERCE' })
  expect((await send(url, 'webhook_id=12', {})).status).toBe(200)
  expect(await idsOf(program)).toEqual([])
  expect((await send(url, 'webhook_id=12&a=b', {})).status).toBe(400)
})

it('refuses settings of signatures for other kinds, and names that are no headers', async () => {
  const program = await app.createProgram()
  const settings = [
    ['PADDLE', { signatureHeader: 'X-Own' }, 'only for feeds of the kind GENERIC'],
    ['PADDLE', { preset: 'SHOPIFY' }, 'only for feeds of the kind GENERIC'],
    ['GENERIC', { signatureHeader: 'X Own:' }, 'must be the name of a header'],
  ] as const
  for (const [kind, more, message] of settings) await expect(createFeedOf(program, kind, more)).rejects.toThrow(message)
})
