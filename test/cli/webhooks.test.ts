import { createHmac } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { adminToken, createTestApp, type TestProgram } from '../support/app.ts'
import { startChild } from '../support/data-directory.ts'
import { createAffiliate } from '../support/factories.ts'
import { createReceiver } from '../support/receiver.ts'

const app = await createTestApp()
const serve = (port: number) =>
  new Promise<Server>((done) => {
    const opened: Server = createServer(app.app.handle).listen(port, '127.0.0.1', () => done(opened))
  })
let server = await serve(0)
const { port } = server.address() as AddressInfo
const stopServing = () => new Promise((done) => void server.close(done).closeAllConnections())
afterAll(() => void server.close())

const start = (args: string[]) =>
  startChild('src/cli/tributary.ts', args, {
    TRIBUTARY_URL: `http://127.0.0.1:${port}`,
    ADMIN_TOKEN: adminToken,
    NODE_ENV: '',
  })
const run = (...args: string[]) => start(args).exited
async function json(...args: string[]) {
  const { code, output } = await run(...args)
  expect([code, output]).toEqual([0, expect.stringMatching(/^[{].*[}]$/)])
  return JSON.parse(output)
}

async function createOpenReceiver() {
  const receiver = await createReceiver()
  onTestFinished(receiver.close)
  return receiver
}

const typesOf = (events: any[]) => events.map((event) => event.type ?? event.event.type)

it('an endpoint is created, listed, given a new secret and deleted; its deliveries are listed and replayed', async () => {
  const program = await app.createProgram()
  const receiver = await createOpenReceiver()
  const of = ['--program', program.slug]
  const { webhook } = await json(
    ...['create-webhook', ...of, '--url', receiver.url, '--format', 'standard'],
    ...['--types', 'affiliate.created, affiliate.updated', '--description', 'CRM'],
  )
  expect(webhook).toMatchObject({ url: receiver.url, description: 'CRM', format: 'STANDARD', state: 'ACTIVE' })
  const { secret, starts_at: _, ...listed } = webhook
  expect(await json('list-webhooks', ...of)).toEqual({ webhooks: [listed] })

  await createAffiliate(program)
  await app.app.sendWebhooks()
  const { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': signature } = headersOf(receiver)
  const body = receiver.received[0]?.body ?? ''
  expect(signature).toBe(new Webhook(secret).sign(`${id}`, new Date(Number(at) * 1000), body))
  const { deliveries } = await json('list-deliveries', ...of, '--webhook', webhook.id, '--state', 'succeeded')
  expect(deliveries).toEqual([
    expect.objectContaining({ event_type: 'affiliate.created', state: 'SUCCEEDED', tries: 1, last_response: 200 }),
  ])
  const replay = ['replay', ...of, '--webhook', webhook.id, '--types', 'affiliate.created']
  expect(await json(...replay, '--missed')).toMatchObject({ replay: { count: 0, is_complete: true } })
  expect(await json(...replay)).toMatchObject({ replay: { count: 1, is_complete: true } })

  const one = [...of, '--id', webhook.id]
  const updated = await json('update-webhook', ...one, '--types', 'all', '--description', 'ERP')
  expect(updated.webhook).toMatchObject({ event_types: [], description: 'ERP', url: receiver.url })
  expect((await run('update-webhook', ...one)).output).toContain('Nothing to change')
  expect((await json('disable-webhook', ...one)).webhook).toMatchObject({
    state: 'DISABLED',
    disabled_reason: 'MANUAL',
  })
  expect((await json('enable-webhook', ...one)).webhook).toMatchObject({ state: 'ACTIVE' })

  const rotated = await json('rotate-webhook-secret', ...of, '--id', webhook.id, '--keep-old-for-hours', '0')
  expect(rotated.webhook.secret).not.toBe(secret)
  expect(await json('delete-webhook', ...of, '--id', webhook.id)).toEqual({ deleted_webhook: { id: webhook.id } })
  expect(await json('list-webhooks', ...of)).toEqual({ webhooks: [] })
})

const headersOf = (receiver: Awaited<ReturnType<typeof createReceiver>>) =>
  receiver.received[0]?.headers as Record<string, string>

it('a wrong format, an unknown type and a forbidden address are named', async () => {
  const { slug } = await app.createProgram()
  const create = ['create-webhook', '--program', slug, '--url']
  const [format, type, address] = await Promise.all([
    run(...create, 'https://acme.test', '--format', 'xml'),
    run(...create, 'https://acme.test', '--format', 'standard', '--types', 'sale.made'),
    run(...create, 'http://10.0.0.1/hook', '--format', 'standard'),
  ])
  expect(format).toMatchObject({ code: 1, output: expect.stringContaining('It must be STANDARD or CONVENTION.') })
  expect(type).toMatchObject({ code: 1, output: expect.stringContaining('unknown type: sale.made') })
  expect(address).toMatchObject({ code: 1, output: expect.stringMatching(/url/i) })
})

describe('listen', () => {
  async function listen(program: TestProgram, ...options: string[]) {
    const receiver = await createOpenReceiver()
    const child = start(['listen', '--program', program.slug, '--forward-to', receiver.url, ...options])
    const { secret } = JSON.parse(await child.waitFor('{"forward_to"'))
    return { receiver, child, secret }
  }

  it('forwards the events from now on in order, signed, and prints each answer', async () => {
    const program = await app.createProgram()
    await createAffiliate(program, { token: 'before' })
    const { receiver, child, secret } = await listen(program)
    await createAffiliate(program, { token: 'after' })
    const expected = ['affiliate.created', 'affiliate.confirmed', 'affiliate_link.created']
    await expect.poll(() => receiver.received.length).toBe(3)
    expect(typesOf(receiver.events())).toEqual(expected)
    for (const { body, headers } of receiver.received)
      expect(() => new Webhook(secret).verify(body, headers as Record<string, string>)).not.toThrow()
    const printed = await child.waitFor('{"event_id"')
    expect(JSON.parse(printed)).toMatchObject({ type: 'affiliate.created', status: 200, error: null })

    receiver.answerWith(() => ({ status: 500 }))
    await createAffiliate(program)
    await expect.poll(() => child.lines.filter((line) => line.includes('"status":500')).length).toBe(3)
  })

  it('sends bodies as an endpoint is sent them, in both formats', async () => {
    const program = await app.createProgram()
    const { receiver, secret } = await listen(program, '--format', 'convention', '--types', 'affiliate.created')
    const endpoint = await createOpenReceiver()
    const of = ['--program', program.slug, '--url', endpoint.url]
    const { webhook } = await json(
      ...['create-webhook', ...of, '--format', 'convention', '--types', 'affiliate.created'],
    )
    await createAffiliate(program)
    await app.app.sendWebhooks()
    await expect.poll(() => receiver.received.length).toBe(1)
    const [{ body, headers } = { body: '', headers: {} }] = receiver.received
    expect(body).toBe(endpoint.received[0]?.body)
    const signed = (key: string) => createHmac('sha256', key).update(body).digest('hex')
    expect(headers['x-rewardful-signature']).toBe(signed(secret))
    expect(headersOf(endpoint)['x-rewardful-signature']).toBe(signed(webhook.secret))
  })

  it('loses no event while the server is restarted', async () => {
    const program = await app.createProgram()
    const { receiver, child } = await listen(program, '--types', 'affiliate.created')
    await createAffiliate(program)
    await stopServing()
    await child.waitFor('{"server":"Cannot reach')
    for (const token of ['one', 'two']) await createAffiliate(program, { token })
    server = await serve(port)
    await child.waitFor('{"server":"works again"')
    await createAffiliate(program)
    await expect.poll(() => receiver.received.length).toBe(4)
    expect(new Set(receiver.received.map((each) => each.headers['webhook-id'])).size).toBe(4)
  })

  it('says that nothing answers, and counts at its end', async () => {
    const program = await app.createProgram()
    const silent = await new Promise<Server>((done) => {
      const opened: Server = createServer().listen(0, '127.0.0.1', () => done(opened))
    })
    const address = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/hook`
    await new Promise((done) => silent.close(done))
    const child = start(['listen', '--program', program.slug, '--forward-to', address, '--types', 'affiliate.created'])
    await child.waitFor('{"forward_to"')
    await createAffiliate(program)
    await child.waitFor(`Nothing answers at ${address}`)
    child.process.kill('SIGTERM')
    const { code, output } = await child.exited
    expect([code, output]).toEqual([
      0,
      expect.stringMatching(/sent: 1. Accepted: 0. Failed: 1; the last failure: .*ECONNREFUSED/),
    ])
  })

  it('ends at once if the program does not exist', async () => {
    const { code, output } = await run('listen', '--program', 'nobody', '--forward-to', 'http://127.0.0.1:1')
    expect([code, output]).toEqual([1, 'Program not found: nobody'])
  })
})
