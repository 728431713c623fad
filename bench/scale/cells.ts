import { execFile } from 'node:child_process'
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { createSeller } from '../../test/support/factories.ts'
import { databaseUrlOf, withServer } from '../../test/support/global-setup.ts'
import { createCluster } from '../../test/support/postgres-cluster.ts'
import { fill } from '../fill.ts'
import { createProgramOn, diagnose, type Service, send, startService, stopService } from '../resilience/service.ts'
import { startCellsProxy } from './cells-proxy.ts'
import { compareSales } from './stored-sales.ts'

export const summary =
  'Two installations behind HAProxy: a program is moved from one to the other while sales are reported.'
export const unit = 'sales that the program has before'
export const defaultSize = 20_000

const clientCount = 4
/** A million and more sales a day, so that there is much to catch up with, but not all that the machine can do. */
const betweenSalesMs = 200
/** The program is closed after this many exports of changes, or when one had not much fewer rows than the one before. */
const mostRounds = 6
const names = ['a', 'b'] as const
/** The installations have keys of their own, so the files of one are foreign to the other. */
const kept = ['--keep-access', '--yes']

export async function run(sales: number): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'tributary-cells-'))
  const cluster = await createCluster()
  const services: Service[] = []
  let proxy: Awaited<ReturnType<typeof startCellsProxy>> | undefined
  try {
    await withServer(cluster.url, (server) => server.query('create database cell_b'))
    const urls = { a: cluster.url, b: databaseUrlOf(cluster.url, 'cell_b') }
    const envs: Environment[] = names.map((name) => ({
      DATABASE_URL: urls[name],
      DATA_DIR: join(folder, name),
      CELL: name,
    }))
    for (const env of envs) services.push(await startService(env))
    const cells = names.map((name, n) => ({ name, address: (services[n] as Service).address }))
    proxy = await startCellsProxy(folder, cells)
    const { address } = proxy
    const program = await createProgramOn(() => address)
    const { coupon, affiliate } = await createSeller(program)
    const stays = await createProgramOn(() => (services[1] as Service).address, { name: 'Stays' })
    await withServer(urls.a, (server) => server.query(fill(program.id, sales, Math.ceil(sales / 100), 2025)))
    const clients = reportSales(address, program.secret, coupon)
    await pause(2_000)

    const [from, to] = envs as [Environment, Environment]
    const [base, changes, keyFile] = ['base', 'changes', 'key'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ]
    await writeFile(keyFile, 'a key that only these files have')
    const beganAt = performance.now()
    const secondsSinceBegin = () => ((performance.now() - beganAt) / 1000).toFixed(1)
    const note = async (what: string, result: string, file: string) => {
      console.log(result.split('\n', 1)[0])
      console.log(`${what} after ${secondsSinceBegin()} s, ${((await stat(file)).size / 1e6).toFixed(1)} MB`)
    }
    const exporting = (file: string, ...options: string[]) =>
      command(from, 'export-program', '--program', program.id, '--file', file, '--key-file', keyFile, ...options)
    await note('exported', await exporting(base), base)
    const copied = await command(to, 'import-program', '--file', base, '--key-file', keyFile, '--base', ...kept)
    await note('imported while open', copied, base)
    const routes = await command(to, 'program-routes', '--program', program.id, '--cell', 'b')
    let last = base
    const rounds: number[] = []
    while (rounds.length < mostRounds && !((rounds.at(-1) ?? 0) > 0.8 * (rounds.at(-2) ?? Number.POSITIVE_INFINITY))) {
      const file = join(folder, `round-${rounds.length + 1}`)
      const exported = await exporting(file, '--since', last)
      rounds.push(Number(rowsOf(exported)))
      await note(`round ${rounds.length} exported`, exported, file)
      await command(to, 'import-program', '--file', file, '--key-file', keyFile, ...kept)
      console.log(`round ${rounds.length} imported after ${secondsSinceBegin()} s`)
      last = file
    }
    const caughtUp = await exporting(changes, '--since', last, '--close')
    await note('closed, changes exported', caughtUp, changes)
    const isOpen = 'is open here'
    let routed: Promise<void> | undefined
    const imported = await followed(
      to,
      ['import-program', '--file', changes, '--key-file', keyFile, ...kept],
      (output) => {
        if (routed || !output.includes(isOpen)) return
        console.log(`open at the target after ${secondsSinceBegin()} s`)
        routed = proxy?.addRoutes(routes.trim().split('\n'))
      },
    )
    await routed
    const lineOf = (part: string) => imported.split('\n').find((line) => line.includes(part))
    console.log(lineOf('Imported'))
    console.log(`checked after ${secondsSinceBegin()} s`)
    await pause(2_000)
    const { acknowledged, refused, failures, closedMs } = await clients.stop()

    const [there, here] = [
      await compareSales(urls.b, program.id, acknowledged, 'new-'),
      await compareSales(urls.a, program.id, [], 'new-'),
    ]
    const { lost, doubled } = there
    const after = [...here.stored].filter((id) => !there.stored.has(id))
    const basic = { Authorization: `Basic ${Buffer.from(`${program.secret}:`).toString('base64')}` }
    const visit = { key: program.publishableKey, token: affiliate.links[0].token }
    const answers = [
      await send(address, program.secret, 'GET', '/v1/commissions?limit=1'),
      await send(address, '', 'GET', '/v1/commissions?limit=1', undefined, basic),
      await send(address, '', 'POST', '/track/visits', visit, { Authorization: '' }),
      await send(address, stays.secret, 'GET', '/v1/commissions?limit=1'),
    ].map(({ status }) => status)
    console.log(lineOf('Doctor'))
    console.log(
      `${rowsOf(copied)} rows copied while open, then ${rounds.join(', ')}; ${rowsOf(caughtUp)} after it was closed`,
    )
    console.log(`${sales} sales before, ${acknowledged.length} acknowledged by ${clientCount} clients meanwhile`)
    console.log(
      `closed to writes for ${(closedMs / 1000).toFixed(1)} s: ${refused} answers 503, other failures: ${failures}`,
    )
    console.log(
      `lost: ${lost.length}, doubled or without their commission: ${doubled.length}, written at the source after that: ${after.length}`,
    )
    console.log(`old key as Bearer, as Basic, a visit, a key of the other cell: ${answers.join(', ')}`)
    const findings = [await diagnose(cells[0]?.address ?? ''), await diagnose(cells[1]?.address ?? '')]
    console.log(`doctor: ${findings.join(' and ')} findings`)
    const isRight = answers[0] === 200 && answers[1] === 200 && (answers[2] ?? 0) < 300 && answers[3] === 200
    if (
      lost.length + doubled.length + after.length + failures + (findings[0] ?? 0) + (findings[1] ?? 0) > 0 ||
      !isRight
    )
      process.exitCode = 1
  } finally {
    await proxy?.stop()
    await Promise.all(services.map(stopService))
    cluster.remove()
    await rm(folder, { recursive: true, force: true })
  }
}

type Environment = Record<string, string>

const rowsOf = (text: string) => text.match(/(\d+) rows/)?.[1]

const command = (env: Environment, ...args: string[]) => followed(env, args, () => {})

/** Runs a command. @param onOutput called with all that it has printed, each time that it prints */
async function followed(env: Environment, args: string[], onOutput: (all: string) => void): Promise<string> {
  const running = promisify(execFile)(process.execPath, ['dist/cli/admin.js', ...args], {
    // Less than the rows of the program take: they are streamed.
    env: { ...process.env, ...env, NODE_OPTIONS: '--max-old-space-size=128' },
    maxBuffer: 1e8,
  })
  let all = ''
  running.child.stdout?.on('data', (data) => {
    all += data
    onOutput(all)
  })
  return (await running).stdout
}

/** Clients that report one sale after the other, and repeat one that was answered with 503, as clients should. */
function reportSales(address: string, secret: string, coupon: string) {
  const acknowledged: string[] = []
  let [refused, failures, isOver] = [0, 0, false]
  let [closedAt, closedMs] = [0, 0]
  const client = async (id: number) => {
    for (let n = 0; !isOver; n += 1) {
      const external_id = `new-${id}-${n}`
      while (true) {
        const sale = { coupon, amount_cents: 100, external_id }
        const { status } = await send(address, secret, 'POST', '/v1/conversions', sale).catch(() => ({ status: 0 }))
        if (status === 201 || status === 200) {
          acknowledged.push(external_id)
          if (closedAt > 0 && closedMs === 0) closedMs = performance.now() - closedAt
          await pause(betweenSalesMs)
          break
        }
        if (status === 503) {
          refused += 1
          if (closedAt === 0) closedAt = performance.now()
        } else failures += 1
        if (isOver) break
        await pause(200)
      }
    }
  }
  const clients = Array.from({ length: clientCount }, (_, id) => client(id))
  return {
    stop: async () => {
      isOver = true
      await Promise.all(clients)
      return { acknowledged, refused, failures, closedMs }
    },
  }
}
