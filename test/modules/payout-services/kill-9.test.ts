import { randomInt } from 'node:crypto'
import { tmpdir } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, inject, onTestFinished, test } from 'vitest'
import { openDatabase } from '../../../src/database/open.ts'
import { examine } from '../../../src/modules/doctor/service.ts'
import { adminToken, createTestProgram, graphqlClient } from '../../support/app.ts'
import { makeDataDir, startChild } from '../../support/data-directory.ts'
import { createPostgresClone, silentLog as log } from '../../support/database.ts'
import { addPayee, type StartedKind, startConnect, startKind, testKinds } from '../../support/payout-services.ts'

// The service dies by `kill -9` at each request that it makes to a payout service: before it is done, after it was done
// and not answered, and after its answer. The background goes on with what is left. What the stand-in says it moved is
// what is recorded.

const kills = Number(process.env.KILLS)
const ways = ['before it is done', 'before its answer', 'after its answer'] as const

/** How often time passes on the embedded database, which has to be opened for it: not after each kill. */
const roundsBetween = 5

test('kill -9 at each request to each service pays nobody twice, and forgets nobody', {
  timeout: 3_000_000,
}, async () => {
  // Beside each other, because each mostly waits for a service that starts.
  const starts = Object.keys(testKinds).map((id) => startKind(id))
  await Promise.all([...starts, startConnect()].map(async (kind) => killAtEachRequest(await kind)))
})

const closedCodes: readonly unknown[] = ['EPIPE', 'ECONNRESET', 'UND_ERR_SOCKET']
const isOfClosed = ({ cause }: Error) => closedCodes.includes((cause as NodeJS.ErrnoException | undefined)?.code)

async function killAtEachRequest(kind: StartedKind): Promise<void> {
  const { standIn } = kind
  const postgres = inject('databases').postgres ? await createPostgresClone() : null
  if (postgres) onTestFinished(postgres.drop)
  const options = { dataDir: postgres ? tmpdir() : await makeDataDir(), databaseUrl: postgres?.url ?? '' }
  const start = async () => {
    const settings = {
      NODE_ENV: 'production',
      PORT: '0',
      ADMIN_TOKEN: adminToken,
      WEBHOOK_KEY: 'key-of-the-payout-service-tests',
      // A busy machine is no reason to end a request.
      OPERATION_TIMEOUT_SECONDS: '120',
      [kind.setting]: standIn.url,
    }
    const env = { ...settings, DATA_DIR: options.dataDir, DATABASE_URL: options.databaseUrl }
    const child = startChild('src/main.ts', [], env)
    return { child, address: JSON.parse(await child.ready()).address as string }
  }
  let server = await start()
  const kill = async () => {
    server.child.process.kill('SIGKILL')
    await server.child.exited
  }
  const withDatabase = async <T>(work: (database: Awaited<ReturnType<typeof openDatabase>>) => Promise<T>) => {
    const database = await openDatabase({ ...options, log })
    return work(database).finally(() => database.close())
  }
  /** As if minutes had passed: leases have ended, and what is planned is due. What was forgotten stays so. */
  const letTimePass = () =>
    withDatabase(async ({ db }) => {
      const past = new Date(Date.now() - 1_000)
      await db.payoutRun.updateMany({ where: { lease: { not: null } }, data: { leaseEndsAt: past } })
      await db.payoutRun.updateMany({ where: { nextStepAt: { not: null } }, data: { nextStepAt: past } })
    })
  const fetchHere = (request: Request) => {
    const { pathname, search } = new URL(request.url)
    const send = () => fetch(new Request(`${server.address}${pathname}${search}`, request.clone()))
    // Some idle connections may be to a server that was killed, or that has closed them: then nothing was asked.
    const sendAgain = (times: number): Promise<Response> =>
      send().catch((error: Error) => {
        if (times > 0 && server.child.process.signalCode === null && isOfClosed(error)) return sendAgain(times - 1)
        throw error
      })
    return sendAgain(10)
  }
  const operator = graphqlClient(fetchHere, { Authorization: `Bearer ${adminToken}` })
  const program = await createTestProgram(fetchHere, operator, {})
  const services = kind.services(program)
  await services.connect()
  const unpaid = kind.unpaid[1]
  /** What each payee gets. */
  const due: [string, number][] = []
  const prepare = async (round: number) => {
    for (const name of ['ada', 'bob', unpaid].slice(0, 2 + (round % 2))) {
      const address = kind.addressOf(`${name}-r${round}@kill.test`)
      due.push([address, name === unpaid ? 0 : 1_000])
      await addPayee(program, address, kind.addressField)
    }
    return services.prepare()
  }

  // The requests of a run in which nobody dies.
  const before = standIn.requests.length
  const first = await prepare(0)
  await services.send(first.id)
  standIn.settle()
  await services.refresh(first.id)
  const requests = standIn.requests.length - before
  expect(requests).toBeGreaterThan(1)

  const died: string[] = []
  for (let round = 1; round <= kills; round += 1) {
    const run = await prepare(round)
    // Fewer kills than moments are spread over them.
    const moments = requests * ways.length
    const moment = kills < moments ? Math.floor(((round - 1) * moments) / kills) : (round - 1) % moments
    let left = 1 + Math.floor(moment / ways.length)
    const way = ways[moment % ways.length]
    const isIt = () => {
      left -= 1
      return left === 0
    }
    const die = (request: string) => {
      died.push(`${way}: ${request}`)
      server.child.process.kill('SIGKILL')
    }
    standIn.onRequest = (request) => {
      if (way !== 'before it is done' || !isIt()) return 'do'
      die(request)
      return 'drop'
    }
    standIn.onDone = (request) => {
      if (way === 'before it is done' || !isIt()) return
      if (way === 'before its answer') die(request)
      else void pause(randomInt(40)).then(() => die(request))
    }
    // A person sends it, and asks what became of it. The background does the same for runs of earlier rounds.
    const act = async () => {
      await services.send(run.id)
      standIn.settle()
      await services.refresh(run.id)
    }
    await Promise.race([server.child.exited, act().catch(() => undefined)])
    standIn.onRequest = undefined
    standIn.onDone = undefined
    await kill()
    if (postgres || round % roundsBetween === 0 || round === kills) await letTimePass()
    server = await start()
    standIn.settle()
  }
  expect(died.length).toBeGreaterThan(kills / 2)

  // What was handed over is planned, so that the background goes on with it. Asking here is quicker than its plan.
  const open = async (): Promise<{ id: string; handedOverAt: string | null; nextStepAt: string | null }[]> => {
    const query = `{ payoutRuns(first: 100, where: { state: { in: [PREPARED, APPROVED, SENT] } }) {
      nodes { id handedOverAt nextStepAt } } }`
    return (await program.graphql(query)).payoutRuns.nodes
  }
  expect((await open()).filter((run) => run.handedOverAt && !run.nextStepAt)).toEqual([])
  for (let left = await open(); left.length > 0; left = await open()) {
    standIn.settle()
    // The background may work on a run at the same moment. Then the next round asks again.
    for (const { id } of left) {
      await services.send(id).catch(() => undefined)
      standIn.settle()
      await services.refresh(id).catch(() => undefined)
    }
  }
  await kill()
  await withDatabase(async (database) => {
    const items = await database.db.payoutRunItem.findMany()
    expect(items.filter(({ isUnknown, contradiction }) => isUnknown || contradiction !== null)).toEqual([])
    const moved = standIn.moved()
    const recorded = due.map(([address]) => {
      const own = items.filter(({ recipient }) => recipient === address)
      return [address, own.reduce((sum, { goneCents }) => sum + Number(goneCents), 0)]
    })
    expect(recorded).toEqual(due.map(([address]) => [address, moved.get(address) ?? 0]))
    expect(recorded).toEqual(due)
    expect(await examine(database)).toEqual([])
  })
  process.stdout.write(
    `${kind.name}: ${died.length} of ${kills} kills at ${new Set(died).size} steps, 0 lost, 0 paid twice\n`,
  )
}
