import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Fault } from '../../../src/cli/stand-ins/stand-in.ts'
import { createTestApp } from '../../support/app.ts'
import { findViolations } from '../../support/doctor.ts'
import { reportSale } from '../../support/factories.ts'
import { addPayee, itemTo, payingBy, type StartedKind, startKind, testKinds } from '../../support/payout-services.ts'

// The process dies at each step of sending a run. What the stand-in says it moved is what is recorded, nobody is paid
// twice, and nobody is forgotten.

const started = await Promise.all(Object.keys(testKinds).map((id) => startKind(id)))
/** Where the next process dies. */
const death: { at: string | null; after: number } = { at: null, after: 0 }
const app = await createTestApp({
  payoutServiceUrls: Object.fromEntries(started.map(({ id, standIn }) => [id, standIn.url])),
  onPayoutStep(step) {
    if (step !== death.at) return
    death.after -= 1
    if (death.after >= 0) return
    death.at = null
    throw new Error('killed')
  },
})

let count = 0

beforeEach(() => {
  death.at = null
})

/** A program of a service, with two payees whose addresses were paid before. Others in a run are paid in a second batch. */
async function makeProgram(kind: StartedKind) {
  const known = await payingBy(kind, app, ['a@pp.test', 'b@pp.test'])
  const { id } = await known.services.prepare()
  await finish(kind, known.services, id)
  return known
}

type KnownProgram = Awaited<ReturnType<typeof makeProgram>>

/** A run with payments of all kinds: two to known addresses, and two to new ones. */
async function makeRun(kind: StartedKind, { program, services, earners, addresses }: KnownProgram) {
  count += 1
  for (const { coupon } of earners) await reportSale(program, { coupon })
  const others = kind.unpaid.map((name) => kind.addressOf(`${name}-k${count}@pp.test`))
  const added = []
  for (const address of others) added.push(await addPayee(program, address, kind.addressField))
  const affiliateIds = [...earners, ...added].map(({ affiliate }) => affiliate.id)
  const query = `query ($ids: [ID!]) { payouts(where: { affiliateId: { in: $ids }, isPayable: { equals: true } }) { nodes { id } } }`
  const { payouts } = await program.graphql(query, { ids: affiliateIds })
  const run = await services.prepare({ payoutIds: payouts.nodes.map(({ id }: any) => id) })
  return { kind, services, run, known: addresses, all: [...addresses, ...others], movedBefore: kind.standIn.moved() }
}

type Made = Awaited<ReturnType<typeof makeRun>>

/** Acts until the run has a state: a slow machine needs more turns. Only a hang ends at the deadline of the test. */
async function until(services: Made['services'], id: string, state: string, act: () => Promise<unknown>) {
  for (;;) {
    // Another process finds the run when the lease of the one that died has ended.
    app.clock.advanceMinutes(3)
    await act()
    const run = await services.read(id)
    if (run.state === state) return run
  }
}

/** Sends and asks until the service has answered all. */
const finish = (kind: StartedKind, services: Made['services'], id: string) =>
  until(services, id, 'PAID', async () => {
    await services.send(id)
    kind.standIn.settle(app.clock.now)
    await services.refresh(id)
  })

async function check({ kind, services, run, all, movedBefore }: Made) {
  death.at = null
  const { items } = await finish(kind, services, run.id)
  const moved = kind.standIn.moved()
  const expected = all.map((address, index) => {
    const movedCents = (moved.get(address) ?? 0) - (movedBefore.get(address) ?? 0)
    return [address, index < 2 ? 1_000 : 0, movedCents, false, null]
  })
  const recorded = all.map((address) => {
    const { recipient, goneCents, isUnknown, contradiction } = itemTo({ items }, address)
    return [recipient, goneCents, goneCents, isUnknown, contradiction]
  })
  expect(recorded).toEqual(expected)
  expect(items.nodes).toHaveLength(all.length)
  expect(await findViolations(app.database)).toEqual([])
}

const all: readonly Fault[] = ['lose answer', 'lose request', 'fail', 'fail after', 'html', 'limit', 'revoke']
/** A 429 is waited for in the same way at each request, so it is tried at one. */
const some: readonly Fault[] = ['lose answer', 'fail']

describe.each(started.map((kind) => [kind.name, kind] as const))('a process that dies, by %s', (_name, kind) => {
  const { standIn, steps, requests } = kind
  let program: KnownProgram
  beforeAll(async () => {
    program = await makeProgram(kind)
  })
  const makeOne = () => makeRun(kind, program)

  test.each(['before intent', 'after intent', ...steps, 'after call', 'after answer'])('%s', async (step) => {
    const made = await makeOne()
    Object.assign(death, { at: step, after: 0 })
    await expect(made.services.send(made.run.id)).rejects.toThrow()
    const between = await made.services.read(made.run.id)
    // Unknown from before the call until its answer is committed: never free, and never sent as another one.
    const isUnknown = step !== 'before intent' && step !== 'after answer'
    expect(made.known.map((address) => itemTo(between, address).isUnknown)).toEqual([isUnknown, isUnknown])
    await check(made)
  })

  test.runIf(steps.includes('before transfer'))('in the middle of the payments of a batch, twice', async () => {
    const made = await makeOne()
    for (const after of [1, 0]) {
      Object.assign(death, { at: 'before transfer', after })
      await expect(made.services.send(made.run.id)).rejects.toThrow()
      app.clock.advanceMinutes(2)
    }
    await check(made)
  })

  test('while it records what it heard', async () => {
    const made = await makeOne()
    await until(made.services, made.run.id, 'SENT', () => made.services.send(made.run.id))
    standIn.settle(app.clock.now)
    Object.assign(death, { at: 'after page', after: 0 })
    await expect(made.services.refresh(made.run.id)).rejects.toThrow()
    await check(made)
  })

  test.each(requests.flatMap((request, index) => (index === 0 ? all : some).map((fault) => [fault, request] as const)))(
    'after the service did: %s (%s)',
    async (fault, request) => {
      const made = await makeOne()
      standIn.fault(request, fault)
      Object.assign(death, { at: 'after failed call', after: 0 })
      await made.services.send(made.run.id).catch(() => undefined)
      await check(made)
    },
  )

  test('several people who send and ask at the same time pay once', async () => {
    const made = await makeOne()
    const { services, run } = made
    for (const request of requests) standIn.fault(request, 'lose answer')
    await Promise.allSettled([1, 2, 3, 4].map((n) => (n % 2 ? services.send(run.id) : services.refresh(run.id))))
    await until(services, run.id, 'SENT', () => services.send(run.id))
    await check(made)
  })

  test.each(['before intent', 'after intent', 'after call'])(
    '%s, nobody sends it again: the background does',
    async (step) => {
      const made = await makeOne()
      Object.assign(death, { at: step, after: 0 })
      await expect(made.services.send(made.run.id)).rejects.toThrow()
      await until(made.services, made.run.id, 'SENT', () => app.app.askPayoutServices())
      await check(made)
    },
  )

  test('the background alone brings it to its end', async () => {
    const made = await makeOne()
    for (const request of requests) standIn.fault(request, 'lose answer')
    await made.services.send(made.run.id)
    const { serviceProblem } = await until(made.services, made.run.id, 'PAID', async () => {
      app.clock.advanceMinutes(20)
      standIn.settle(app.clock.now)
      await app.app.askPayoutServices()
    })
    expect(serviceProblem).toBeNull()
    await check(made)
  })
})
