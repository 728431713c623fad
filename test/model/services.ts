import fc from 'fast-check'
import { expect } from 'vitest'
import type { Fault, Webhook } from '../../src/cli/stand-ins/stand-in.ts'
import { examine } from '../../src/modules/doctor/service.ts'
import type { TestApp, TestProgram } from '../support/app.ts'
import { reportSale } from '../support/factories.ts'
import { notify, payingBy, type StartedKind, type servicesOf } from '../support/payout-services.ts'
import { withhold } from '../support/withholding.ts'

// Runs that a service sends, which loses answers, changes its mind and tells it late, twice and backwards, beside people
// who send, ask and cancel, and the background. The stand-in keeps account of the money: it is the model.

type World = {
  app: TestApp
  kind: StartedKind
  program: TestProgram
  services: ReturnType<typeof servicesOf>
  serviceId: string
  coupons: string[]
  addresses: string[]
  /** What the service has said, and may say again. */
  notices: Webhook[]
}
type Step = (world: World) => Promise<unknown>
type Command = fc.Arbitrary<readonly [string, Step]>

const pick = <T>(rows: readonly T[], at: number): T | undefined => rows[at % rows.length]
/** Refusals are answers: a run that another one sends, nothing to pay, or what the service says. */
const orRefused = (change: Promise<unknown>) =>
  change.catch((error) => {
    if (!['REFUSED', 'INVALID_INPUT'].includes(error.errors?.[0]?.extensions?.code)) throw error
  })
const runsOfProgram = async ({ program }: World): Promise<{ id: string; state: string }[]> =>
  (await program.graphql('{ payoutRuns(first: 100) { nodes { id state } } }')).payoutRuns.nodes
const ownStates = async ({ program, kind }: World) => {
  const { payoutRunItems } = await program.graphql(
    '{ payoutRunItems: payoutRuns(first: 100) { nodes { items(first: 100) { nodes { id } } } } }',
  )
  const ids = new Set(
    payoutRunItems.nodes.flatMap((run: any) => run.items.nodes.map((item: any) => item.id.replaceAll('-', ''))),
  )
  return kind.standIn.states().filter(({ ourId }) => ids.has(ourId))
}

/** What the service says of all payments at this moment. */
async function noteNews(world: World): Promise<void> {
  const { kind, notices, app } = world
  for (const { ourId } of await ownStates(world)) notices.push(kind.standIn.notice(ourId, app.clock.now))
}
const tellOnce = ({ app, kind, serviceId }: World, notice: Webhook) =>
  notify(app, serviceId, kind.standIn.signAgain?.(notice, app.clock.now) ?? notice)

const at = fc.nat({ max: 997 })
const faults: readonly Fault[] = ['lose answer', 'lose request', 'fail', 'fail after', 'html', 'limit without time']

const sale: Command = at.map((who) => [
  `sale of ${who}`,
  ({ program, coupons }) => reportSale(program, { coupon: pick(coupons, who) }),
])
const prepare: Command = fc.constant(['run', ({ services }) => orRefused(services.prepare())] as const)
const send: Command = at.map((which) => [
  `send ${which}`,
  async (world) => {
    const run = pick(await runsOfProgram(world), which)
    if (run) await orRefused(world.services.send(run.id))
  },
])
const trouble: Command = fc
  .tuple(at, fc.constantFrom(...faults))
  .map(([which, fault]) => [
    `${fault} at request ${which}`,
    async ({ kind }) => kind.standIn.fault(pick(kind.requests, which) as RegExp, fault),
  ])
const refresh: Command = at.map((which) => [
  `ask for ${which}`,
  async (world) => {
    const run = pick(await runsOfProgram(world), which)
    if (run) await orRefused(world.services.refresh(run.id))
  },
])
const cancel: Command = at.map((which) => [
  `cancel ${which}`,
  async (world) => {
    const { payouts } = await world.program.graphql('{ payouts(first: 100) { nodes { id } } }')
    const payout = pick<{ id: string }>(payouts.nodes, which)
    if (payout) await orRefused(world.services.cancelPayment(payout.id))
  },
])
const background: Command = fc.constant([
  'background',
  ({ app }) => {
    app.clock.advanceMinutes(10)
    return app.app.askPayoutServices()
  },
] as const)
/** Everything that was taken ends, as the addresses say. */
const settle: Command = fc.constant([
  'settle',
  async (world) => {
    world.app.clock.advanceMinutes(1)
    world.kind.standIn.settle(world.app.clock.now)
    await noteNews(world)
  },
] as const)
/** What was paid comes back, and what was unclaimed is claimed. */
const change: Command = at.map((which) => [
  `change ${which}`,
  async (world) => {
    const { words, standIn } = world.kind
    const one = pick(await ownStates(world), which)
    if (!one) return
    const next = one.word === words.paid ? words.returned : one.word === words.unclaimed ? words.paid : null
    if (next === null) return
    world.app.clock.advanceMinutes(1)
    const { now } = world.app.clock
    standIn.change(one.ourId, next, now)
    world.notices.push(standIn.notice(one.ourId, now))
  },
])
const tell: Command = fc.array(at, { minLength: 1, maxLength: 4 }).map((which) => [
  `tell ${which.join(', ')}`,
  async (world) => {
    for (const one of which) {
      const notice = pick(world.notices, one)
      if (notice) await tellOnce(world, notice)
    }
  },
])

const commands = [sale, prepare, send, send, trouble, refresh, cancel, background, settle, settle, change, tell, tell]

/** The service has no more trouble, and the background asks until it knows everything. */
async function finish(world: World): Promise<void> {
  const { app, kind, notices, services } = world
  for (let turn = 0; turn < 12; turn += 1) {
    app.clock.advanceMinutes(20)
    for (const run of await runsOfProgram(world)) if (run.state !== 'CANCELLED') await orRefused(services.send(run.id))
    kind.standIn.settle(app.clock.now)
    await noteNews(world)
    await app.app.askPayoutServices()
  }
  for (const notice of notices.toReversed()) await tellOnce(world, notice)
}

async function compare({ app: { database }, kind, program, addresses }: World): Promise<void> {
  const items = await database.db.payoutRunItem.findMany({ where: { programId: program.id } })
  const gone = (address: string) =>
    items.filter(({ recipient }) => recipient === address).reduce((sum, { goneCents }) => sum + Number(goneCents), 0)
  const moved = kind.standIn.moved()
  expect(addresses.map((address) => [address, gone(address)])).toEqual(
    addresses.map((address) => [address, moved.get(address) ?? 0]),
  )
  expect(items.filter(({ isUnknown }) => isUnknown)).toEqual([])
  expect(await examine(database, { programId: program.id })).toEqual([])
}

let programs = 0

/** MODEL_SEED repeats a run. */
export async function checkServices(app: TestApp, kind: StartedKind): Promise<void> {
  const seed = Number(process.env.MODEL_SEED)
  const sequences = fc.array(fc.oneof(...commands), { minLength: 6, maxLength: 20, size: 'max' })
  const property = fc.asyncProperty(sequences, async (sequence) => {
    programs += 1
    const names = ['ada', ...kind.unpaid].map((name) => `${name}-${kind.id}-${programs}@model.test`)
    const { program, services, service, earners, addresses } = await payingBy(kind, app, names)
    await withhold(program, 1_550)
    const coupons = earners.map(({ coupon }) => coupon)
    const world: World = { app, kind, program, services, serviceId: service.id, coupons, addresses, notices: [] }
    const log: string[] = []
    try {
      for (const [name, step] of sequence) {
        log.push(name)
        await step(world)
      }
      await finish(world)
      await compare(world)
    } catch (error) {
      throw new Error(`After ${log.join('; ')}`, { cause: error })
    }
  })
  const numRuns = Math.max(1, Math.floor(Number(process.env.MODEL_RUNS) / 75))
  const minutes = process.env.MODEL_MINUTES
  const limit = minutes === undefined ? {} : { interruptAfterTimeLimit: Number(minutes) * 60_000 }
  await fc.assert(property, { numRuns, seed, ...limit, endOnFailure: true })
  console.log(`${kind.name}: ${numRuns} sequences, MODEL_SEED=${seed}`)
}
