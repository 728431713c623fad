import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { createClient } from '../../clients/typescript/src/index.ts'
import {
  createWebhookReceiver,
  verifyWebhook,
  type WebhookEvent,
  WebhookSignatureError,
} from '../../clients/typescript/src/webhooks.ts'
import { eventTypes } from '../../src/modules/events/types.ts'
import { createTestApp } from '../support/app.ts'
import { createAffiliate } from '../support/factories.ts'
import { createReceiver } from '../support/receiver.ts'
import { createEndpoint } from '../support/webhooks.ts'

const run = promisify(execFile)
const test = await createTestApp({ startsAt: new Date().toISOString() })
const program = await test.createProgram()
const url = 'http://localhost:4000'
const send = ((...args: ConstructorParameters<typeof Request>) => test.app.fetch(new Request(...args))) as typeof fetch
const client = createClient({ url, key: program.secret, fetch: send })

it('runs REST operations with their types', async () => {
  const body = { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@client.test' }
  const made = await client.rest('POST /affiliates', { body, idempotencyKey: 'one' })
  const again = await client.rest('POST /affiliates', { body, idempotencyKey: 'one' })
  expect(again.id).toBe(made.id)
  const found = await client.rest('GET /affiliates/{id}', { path: { id: made.id } })
  expect(found.email).toBe('ada@client.test')
  const { data } = await client.rest('GET /affiliates', { query: { limit: 1 } })
  expect(data).toHaveLength(1)
  // @ts-expect-error The contract has no such field.
  expect(found.paypal_email).toBeUndefined()
  // @ts-expect-error The path is required.
  await expect(client.rest('GET /affiliates/{id}')).rejects.toThrow('needs path.id')
})

it("has the convention's names for keys of the superset", async () => {
  const { createApiKey } = await test.operator(
    'mutation ($id: ID!) { createApiKey(input: { programId: $id, name: "x", profile: SUPERSET }) { secret } }',
    { id: program.id },
  )
  const superset = createClient({ url, key: createApiKey.secret, profile: 'superset', fetch: send })
  const email = 'bob@client.test'
  const { id } = await superset.rest('POST /affiliates', {
    body: { first_name: 'Bob', last_name: 'B', email, paypal_email: 'pay@client.test' },
  })
  const { paypal_email } = await superset.rest('GET /affiliates/{id}', { path: { id } })
  expect(paypal_email).toBe('pay@client.test')
})

it('runs GraphQL, and says what is wrong with a request', async () => {
  const { program: own } = await client.graphql<{ program: { slug: string } }>('{ program { slug } }')
  expect(own.slug).toBe(program.slug)
  await expect(client.rest('GET /sales/{id}', { path: { id: 'gone' } })).rejects.toMatchObject({
    status: 404,
    message: 'Sale not found: gone',
    requestId: expect.stringMatching(/./),
  })
  await expect(client.rest('POST /affiliates', { body: { email: 'x' } as never })).rejects.toMatchObject({
    status: 422,
    problems: ['Email is not a valid e-mail address'],
  })
  await expect(
    client.graphql('mutation { createAffiliate(input: { email: "x" }) { affiliate { id } } }'),
  ).rejects.toMatchObject({ code: expect.any(String), problems: expect.any(Array) })
})

it('asks for another key when the service refuses one, once', async () => {
  const asked: boolean[] = []
  const renewing = createClient({
    url,
    fetch: send,
    key: (isRefused) => {
      asked.push(isRefused)
      return isRefused ? program.secret : 'trib_at_expired'
    },
  })
  await renewing.graphql('{ program { slug } }')
  expect(asked).toEqual([false, true])
})

it.each(['STANDARD', 'CONVENTION'])('verifies deliveries in the format %s, and rejects all else', async (format) => {
  const hook = await createReceiver()
  const { secret } = await createEndpoint(program, hook.url, `format: ${format}, eventTypes: ["affiliate.created"]`)
  const affiliate = await createAffiliate(program)
  await test.app.sendWebhooks()
  const [{ headers, body }] = hook.received as [(typeof hook.received)[0]]
  const event = await verifyWebhook({ headers, body }, secret)
  expect(event).toMatchObject({ type: 'affiliate.created', data: { id: affiliate.id } })
  expect(event.createdAt.getTime()).toBeGreaterThan(0)

  const wrong = [
    () => verifyWebhook({ headers, body: `${body} ` }, secret),
    () => verifyWebhook({ headers, body }, `${secret.slice(0, -4)}AAAA`),
    () => verifyWebhook({ headers, body }, ''),
    () => verifyWebhook({ headers: {}, body }, secret),
    () =>
      verifyWebhook(
        { headers: { ...headers, 'webhook-signature': 'v1,?', 'x-rewardful-signature': 'zz' }, body },
        secret,
      ),
  ]
  for (const one of wrong) await expect(one()).rejects.toThrow(WebhookSignatureError)
  if (format === 'STANDARD')
    await expect(verifyWebhook({ headers, body }, secret, { now: new Date(Date.now() + 400_000) })).rejects.toThrow(
      'too old',
    )

  const events: WebhookEvent[] = []
  const receive = createWebhookReceiver(secret, (one) => {
    events.push(one)
    if (events.length > 1) throw new Error('the database is not there')
  })
  const request = (text: string) => new Request(hook.url, { method: 'POST', headers: headers as never, body: text })
  expect((await receive(request(body))).status).toBe(200)
  expect((await receive(request(body))).status).toBe(500)
  expect((await receive(request(`${body}x`))).status).toBe(401)
  expect(events.map(({ id }) => id)).toEqual([event.id, event.id])
  await program.graphql('mutation ($id: ID!) { deleteWebhookEndpoint(input: { id: $id }) { deletedId } }', {
    id: (await program.graphql('{ webhookEndpoints { nodes { id } } }')).webhookEndpoints.nodes[0].id,
  })
  await hook.close()
})

it('npm pack makes a package that Node.js imports', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tributary-client-'))
  const cwd = 'clients/typescript'
  // Under `npm test`, npm inherits `ignore-scripts` from .npmrc, and does not run `prepack`.
  await run('npm', ['run', '--silent', 'build'], { cwd })
  const { stdout } = await run('npm', ['pack', '--silent', '--pack-destination', folder], { cwd })
  await run('tar', ['-xzf', join(folder, stdout.trim().split('\n').at(-1) ?? ''), '-C', folder])
  const entry = (name: string) => JSON.stringify(`file://${folder}/package/dist/${name}.js`)
  const script = `const { createClient } = await import(${entry('src/index')}); const { verifyWebhook } = await import(${entry('src/webhooks')});
    const { keys, scalars } = await import(${entry('generated/graphql')});
    console.log(typeof createClient({ url: 'http://x', key: 'k' }).rest, typeof verifyWebhook, keys.Money(), JSON.stringify(scalars))`
  const { stdout: printed } = await run(process.execPath, ['--input-type=module', '-e', script])
  const words = eventTypes.map((type) => `'${type}'`).join(' | ')
  const scalars = `{"Currency":"string","DateTime":"string","EmailAddress":"string","EventData":"Record<string, unknown>","EventType":"${words}","JSONObject":"Record<string, unknown>","SafeInt":"number","URL":"string"}`
  expect(printed.trim()).toBe(`function function null ${scalars}`)
  await rm(folder, { recursive: true })
})
