import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import type { Fault } from '../../../src/cli/stand-ins/stand-in.ts'
import { createTestApp } from '../../support/app.ts'
import { runsOf } from '../../support/payout-runs.ts'
import { itemTo, payingBy, type StartedKind, startKind, testKinds } from '../../support/payout-services.ts'

// What goes wrong at a service, one service after another: each in words, and the run stays whole.

const started = await Promise.all(Object.keys(testKinds).map((id) => startKind(id)))
/** Where the service is at this moment. */
const at: Record<string, string> = {}
const reset = () => Object.assign(at, Object.fromEntries(started.map(({ id, standIn }) => [id, standIn.url])))
reset()
const app = await createTestApp({ payoutServiceUrls: at })
beforeEach(reset)

const listen = async (server: Server) => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}
const silent = await listen(createServer(() => undefined))
const closed = createServer()
const refusing = await listen(closed)
closed.close()

let count = 0
const fresh = (name: string) => {
  count += 1
  return `${name}-p${count}@pp.test`
}

/** A run with one payment for each name. */
async function prepared(kind: StartedKind, ...names: string[]) {
  const paying = await payingBy(kind, app, names.map(fresh))
  const run = await paying.services.prepare()
  return { ...paying, run }
}

describe.each(started.map((kind) => [kind.name, kind] as const))('%s', (name, kind) => {
  const { standIn, credentials, requests } = kind
  const sending = requests[0] as RegExp
  const whole = [{ state: 'PREPARED', isUnknown: false }]

  test('wrong credentials change nothing', async () => {
    const { services, service } = await prepared(kind, 'ada')
    const secret = Object.keys(credentials).find((key) => /secret|token/i.test(key)) as string
    await expect(services.connect(kind.service, { ...credentials, [secret]: 'wrong' })).rejects.toThrow(
      `${name} does not accept the credentials: they are wrong, or were revoked. Enter others with connectPayoutService.`,
    )
    expect(await services.list()).toMatchObject([{ id: service.id, problem: null }])
  })

  test('a revoked token', async () => {
    const { services, run } = await prepared(kind, 'ada')
    standIn.fault(/./, 'revoke', 4)
    await expect(services.send(run.id)).rejects.toThrow(`${name} does not accept the credentials`)
    expect((await services.read(run.id)).items.nodes).toMatchObject(whole)
    expect((await services.list())[0].problem).toMatch(/does not accept/)
    await expect.poll(async () => (await services.send(run.id).catch(() => null))?.state).toBe('SENT')
    expect((await services.list())[0].problem).toBeNull()
  })

  test('a balance that is not enough', async () => {
    const { services, run } = await prepared(kind, 'ada')
    const had = standIn.balances.USD as number
    standIn.balances.USD = 500
    expect(await services.quote(run.id)).toMatchObject({ isEnough: false, balanceCents: 500 })
    await expect(services.send(run.id)).rejects.toThrow(
      `The balance at ${name} is not enough for 10.00 USD. Add money there, and send again.`,
    )
    expect((await services.read(run.id)).items.nodes).toMatchObject(whole)
    // Asking sends nothing, so the reason stays, and a person decides when it is tried again.
    expect(await services.refresh(run.id)).toMatchObject({
      serviceProblem: expect.stringContaining('is not enough for 10.00 USD'),
      nextStepAt: null,
    })
    standIn.balances.USD = had
    expect(await services.send(run.id)).toMatchObject({ state: 'SENT' })
  })

  test('a payee that does not exist, and one in a country that is not served', async () => {
    const { services, run, addresses } = await prepared(kind, 'invalid', 'country', 'ada')
    const [invalid, country, ada] = addresses as [string, string, string]
    await services.send(run.id)
    standIn.settle(app.clock.now)
    const known = await services.refresh(run.id)
    expect(itemTo(known, invalid)).toMatchObject({
      state: 'FAILED',
      reason: expect.stringMatching(/invalid|valid email/),
    })
    expect(itemTo(known, country)).toMatchObject({ state: 'FAILED', reason: expect.stringMatching(/country/) })
    expect(itemTo(known, ada)).toMatchObject({ state: 'PAID', goneCents: 1_000 })
    expect(addresses.map((address) => standIn.moved().get(address) ?? 0)).toEqual([0, 0, 1_000])
  })

  test('429 with Retry-After is waited for', async () => {
    const { services, run } = await prepared(kind, 'ada')
    standIn.fault(sending, 'limit')
    expect(await services.send(run.id)).toMatchObject({ state: 'SENT' })
  })

  test('429 without it, again and again, is left to the background', async () => {
    const { services, run } = await prepared(kind, 'ada')
    standIn.fault(sending, 'limit without time', 3)
    const held = await services.send(run.id)
    expect(held).toMatchObject({ state: 'PREPARED', serviceProblem: expect.stringMatching(/limits requests/) })
    expect(held.items.nodes).toMatchObject(whole)
    app.clock.advanceMinutes(10)
    await app.app.askPayoutServices()
    expect(await services.read(run.id)).toMatchObject({ state: 'SENT', serviceProblem: null })
  })

  test.each([
    ['a connection that is refused', `http://${refusing}`, /cannot be reached \(ECONNREFUSED\)\. Nothing was sent\./],
    ['TLS that fails', `https://${silent}`, /No safe connection to .*: its certificate is not accepted/],
  ])('%s', async (_what, url, words) => {
    const { program, services, run } = await prepared(kind, 'ada')
    at[kind.id] = url
    await services.send(run.id).catch(() => undefined)
    const read = await services.read(run.id)
    expect(read.items.nodes).toMatchObject(whole)
    expect(read.serviceProblem).toMatch(words)
    await expect(services.connect()).rejects.toThrow(words)
    reset()
    expect(await services.send(run.id)).toMatchObject({ state: 'SENT' })
    await expect(runsOf(program).cancel(run.id)).rejects.toThrow()
  })

  test('a server that hangs', async () => {
    const { services, run } = await prepared(kind, 'ada')
    standIn.fault(sending, 'hang')
    const held = await services.send(run.id)
    expect(held.serviceProblem).toBe(`${name} did not answer within 10 seconds.`)
    expect(held.items.nodes).toMatchObject([{ state: 'PREPARED', isUnknown: true }])
    expect(await services.send(run.id)).toMatchObject({ state: 'SENT' })
  })

  test.each<[Fault, number, RegExp]>([
    ['html', 1, /something else than JSON/],
    ['fail', 1, /answered with 500: it has a problem/],
    ['revoke', 4, /does not accept the credentials/],
    ['limit without time', 3, /limits requests, and asks to wait/],
  ])('asking what became of payments meets: %s', async (fault, times, words) => {
    const { services, run } = await prepared(kind, 'ada')
    await services.send(run.id)
    standIn.settle(app.clock.now)
    standIn.fault(/./, fault, times)
    await services.refresh(run.id).catch(() => undefined)
    const held = await services.read(run.id)
    expect(held).toMatchObject({ state: 'SENT', serviceProblem: expect.stringMatching(words) })
    expect(held.items.nodes).toMatchObject([{ state: 'SENT', isUnknown: false, goneCents: 0 }])
    await expect.poll(async () => (await services.refresh(run.id).catch(() => null))?.state).toBe('PAID')
    expect((await services.read(run.id)).items.nodes).toMatchObject([{ state: 'PAID', goneCents: 1_000 }])
  })

  test('HTML instead of JSON', async () => {
    const { services, run } = await prepared(kind, 'ada')
    standIn.fault(sending, 'html')
    const held = await services.send(run.id)
    expect(held.serviceProblem).toMatch(/something else than JSON: "<!doctype html><title>Maintenance/)
    expect(held.items.nodes).toMatchObject([{ state: 'PREPARED', isUnknown: true }])
    expect(await services.send(run.id)).toMatchObject({ state: 'SENT' })
  })
})
