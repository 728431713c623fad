import { afterAll, expect, it } from 'vitest'
import { createTestApp, testKey } from '../../support/app.ts'
import { createClient, redirectUri } from '../../support/connected-apps.ts'
import { setUpOperator } from '../../support/people.ts'
import { createReceiver } from '../../support/receiver.ts'

// A client whose id is the address of a document about it.

const receiver = await createReceiver()
afterAll(() => receiver.close())
const test = await createTestApp()
const olga = await setUpOperator(test)

let documents = 0
/** Serves a document, at an address of its own: documents are kept. */
function serve(document: (id: string) => unknown, status = 200): string {
  documents += 1
  const id = `http://127.0.0.1:${receiver.port}/client-${documents}.json`
  receiver.answerWith(() => ({ status, body: JSON.stringify(document(id)) }))
  return id
}

const asked = async (id: string, more: Record<string, string> = {}) =>
  olga.post('/connect/read', createClient(test).asks(id, more))

it('is known by the host of the document, and by the addresses in it', async () => {
  const id = serve((client_id) => ({ client_id, client_name: 'Acme assistant', redirect_uris: [redirectUri] }))
  expect((await asked(id)).body).toMatchObject({ name: 'Acme assistant', host: `127.0.0.1:${receiver.port}` })
  expect((await asked(id, { redirect_uri: 'https://evil.test/' })).status).toBe(422)
  const program = await test.createProgram()
  const client = createClient(test)
  const code = await client.consent(olga, program.id, client.asks(id))
  expect((await client.exchange(id, code)).status).toBe(200)
  expect(receiver.received).toHaveLength(1)
})

it.each([
  ['is of another client', () => ({ client_id: 'https://other.test/client', redirect_uris: [redirectUri] }), 200],
  ['has no addresses', (client_id: string) => ({ client_id }), 200],
  ['has an address that runs code', (client_id: string) => ({ client_id, redirect_uris: ['javascript:x()'] }), 200],
  ['is a list', () => [], 200],
  [
    'is longer than 16 KiB',
    (client_id: string) => ({ client_id, redirect_uris: [redirectUri], x: 'x'.repeat(20_000) }),
    200,
  ],
  ['is missing', () => ({}), 404],
  // It would lead around the check of addresses.
  ['is elsewhere', () => ({}), 302],
])('whose document %s is refused, and nobody is sent anywhere', async (_name, document, status) => {
  const answer = await asked(serve(document, status))
  expect([answer.status, answer.body.redirectTo]).toEqual([422, undefined])
})

it('with a private address is not asked, as a webhook would not be', async () => {
  const closed = await createTestApp({ webhooks: { key: testKey, allowedHosts: [], allowHttp: false, isIdle: true } })
  const person = await setUpOperator(closed)
  receiver.clear()
  for (const id of [
    `http://127.0.0.1:${receiver.port}/client.json`,
    `https://127.0.0.1:${receiver.port}/client.json`,
    `https://localhost:${receiver.port}/client.json`,
    `https://[::ffff:127.0.0.1]:${receiver.port}/client.json`,
    'https://169.254.169.254/latest/meta-data',
    'https://10.0.0.1/client.json',
    'https://user:password@10.0.0.1/client.json',
  ]) {
    const { status, body } = await person.post('/connect/read', createClient(closed).asks(id))
    expect([id, status, body.message]).toEqual([id, 422, expect.stringMatching(/must not|complete address/)])
  }
  expect(receiver.received).toEqual([])
})
