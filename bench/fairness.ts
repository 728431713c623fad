import { type ChildProcess, fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { openDatabase } from '../src/database/open.ts'
import type { AppDb } from '../src/kernel/db.ts'
import { createApiKey } from '../src/modules/access/api-keys/service.ts'
import { importAffiliates } from '../src/modules/affiliates/csv-import.ts'
import { makeDemoProgram } from '../src/modules/demo/service.ts'
import { createProgram } from '../src/modules/programs/service.ts'
import { createPostgresBenchDatabase, log, operatorCtx } from './database.ts'
import { csvOf, type Flood, floodsOf, importQuery, prepareFloods } from './floods.ts'
import { headersOf } from './peers.ts'
import { type Server, servers, startEmbedded } from './servers.ts'

export const summary =
  'What a quiet program waits while another, or anybody without a key, floods the service with requests that are allowed.'
export const unit = 'seconds for each flood'
export const defaultSize = 5

const connections = 40
const pauseMs = 20

const goals: Record<string, number> = { embedded: 5, PostgreSQL: 2, keyless: 3 }

type Programs = { quiet: string; flooding: string }

/** Returns the secret of a key of the program, which has an affiliate with this coupon. */
async function addKey(db: AppDb, programId: string, coupon: string): Promise<string> {
  const ctx = operatorCtx(db)
  const program = await db.program.findUniqueOrThrow({ where: { id: programId } })
  const rows = Array.from({ length: 50 }, (_, n) => `${coupon}-${n}@example.com,${n === 0 ? coupon : ''}`)
  await importAffiliates({ ...ctx, program }, { csv: ['email,coupon', ...rows].join('\n') })
  return (await createApiKey(ctx, programId, { name: 'Bench' })).secret
}

/** The quiet program is small, the other one has two years of data. */
async function createPrograms(db: AppDb): Promise<Programs> {
  const demo = await makeDemoProgram(db, { now: new Date(), asked: true })
  const quiet = await createProgram(operatorCtx(db), { name: 'Quiet', url: 'https://acme.test', currency: 'usd' })
  if (!demo) throw new Error('There is a demo program already.')
  return {
    quiet: await addKey(db, quiet.id, 'QUIET'),
    flooding: await addKey(db, demo.program.id, 'FLOODING'),
  }
}

type Times = { reads: number[]; sales: number[] }

/** How long the requests of a quiet client take, in milliseconds. */
async function measureQuiet({ address }: Server, secret: string, seconds: number): Promise<Times> {
  const measured: Times = { reads: [], sales: [] }
  const send = async (into: number[], path: string, init: RequestInit = {}) => {
    const startedAt = performance.now()
    const response = await fetch(`${address}${path}`, { headers: headersOf(secret), ...init })
    await response.text()
    if (!response.ok) throw new Error(`The quiet program got a ${response.status}.`)
    into.push(performance.now() - startedAt)
    await pause(pauseMs)
  }
  for (const until = performance.now() + seconds * 1_000; performance.now() < until; ) {
    await send(measured.reads, '/v1/affiliates')
    const body = JSON.stringify({ external_id: String(Math.random()), amount_cents: 100, coupon: 'QUIET' })
    await send(measured.sales, '/v1/conversions', { method: 'POST', body })
  }
  return measured
}

/** Waits until what a flood began has ended: reads are quick for a second. */
async function untilQuiet(server: Server, secret: string, quickMs: number): Promise<void> {
  for (let tries = 0; tries < 60; tries += 1)
    if (quantile((await measureQuiet(server, secret, 1)).reads, 0.95) <= quickMs) return
}

const quantile = (numbers: readonly number[], share: number) =>
  numbers.toSorted((a, b) => a - b)[Math.floor(share * (numbers.length - 1))] as number

function startFlood(
  { address }: Server,
  { path, method, body, hasKey, leavesAfterMs }: Flood,
  secret: string,
): ChildProcess {
  const headers = headersOf(hasKey ? secret : 'trib_sk_wrong')
  const sent = { method: method ?? 'GET', path, headers, leavesAfterMs, ...(body && { body: JSON.stringify(body) }) }
  const script = fileURLToPath(new URL('flood.mjs', import.meta.url))
  return fork(script, [address, String(connections), JSON.stringify(sent)], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
}

async function measure(kind: string, server: Server, { quiet, flooding }: Programs, seconds: number): Promise<void> {
  await measureQuiet(server, quiet, 2)
  const alone = await measureQuiet(server, quiet, seconds)
  const figure = (times: Times, share: number) =>
    (['reads', 'sales'] as const).map((one) => quantile(times[one], share).toFixed(1)).join(' ')
  console.log(
    `${kind}, the quiet program alone: p50 ${figure(alone, 0.5)}, p95 ${figure(alone, 0.95)} ms (reads, sales)`,
  )
  const only = process.env.FLOODS?.split(',')
  if (!only || only.includes('import')) await measureImport(server, { quiet, flooding })
  const floods = floodsOf(await prepareFloods(server, flooding))
  for (const [name, flood] of Object.entries(floods)) {
    if (only && !only.includes(name)) continue
    const child = startFlood(server, flood, flooding)
    let answers = ''
    child.stdout?.on('data', (text) => {
      answers = String(text).trim()
    })
    await pause(1_000)
    const during = await measureQuiet(server, quiet, seconds)
    child.kill()
    const ratio = (one: 'reads' | 'sales', share: number) =>
      (quantile(during[one], share) / quantile(alone[one], share)).toFixed(1)
    const goal = goals[flood.hasKey ? kind : 'keyless']
    console.log(
      `  ${name.padEnd(28)} p50 ${figure(during, 0.5)}, p95 ${figure(during, 0.95)} ms: p50 ${ratio('reads', 0.5)} and ${ratio('sales', 0.5)} times, ` +
        `p95 ${ratio('reads', 0.95)} and ${ratio('sales', 0.95)} times (goal ${goal}); flood ${answers}`,
    )
    await untilQuiet(server, quiet, 2 * quantile(alone.reads, 0.95))
  }
}

/** One import of 2,000 lines, alone and beside a program that reads without a pause; and how long its reads take. */
async function measureImport({ address }: Server, { quiet, flooding }: Programs): Promise<void> {
  const importOnce = async () => {
    const variables = { csv: csvOf(`once-${randomBytes(4).toString('hex')}`) }
    const body = JSON.stringify({ query: importQuery, variables })
    const startedAt = performance.now()
    await (await fetch(`${address}/graphql`, { method: 'POST', headers: headersOf(flooding), body })).text()
    return performance.now() - startedAt
  }
  const readWhile = async (isOver: () => boolean) => {
    const reads: number[] = []
    while (!isOver()) {
      const startedAt = performance.now()
      await (await fetch(`${address}/v1/affiliates`, { headers: headersOf(quiet) })).text()
      reads.push(performance.now() - startedAt)
    }
    return reads
  }
  const until = performance.now() + 2_000
  const calm = await readWhile(() => performance.now() > until)
  // The programs do not count as active beside each other any more.
  await pause(1_000)
  const alone = await importOnce()
  let isImported = false
  const importing = importOnce().finally(() => {
    isImported = true
  })
  const reads = await readWhile(() => isImported)
  const times = (await importing) / alone
  const slower = quantile(reads, 0.5) / quantile(calm, 0.5)
  console.log(
    `  an import of 2,000 lines: ${(alone / 1_000).toFixed(1)} s alone, ${times.toFixed(2)} times as long beside a busy reader (goal 1.5), ` +
      `whose p50 is ${slower.toFixed(1)} times as long (goal 2), at most ${Math.max(...reads).toFixed(0)} ms`,
  )
}

/** How many lists a busy program gets in a second, alone, and while another program sends one request in five seconds. */
async function measureBusy(
  kind: string,
  server: Server,
  { quiet, flooding }: Programs,
  seconds: number,
): Promise<void> {
  const flood: Flood = { path: '/v1/affiliates?limit=1', hasKey: true }
  const rounds = { alone: 0, beside: 0 }
  const child = startFlood(server, flood, flooding)
  let answered = 0
  child.stdout?.on('data', (text) => {
    for (const line of String(text).trim().split('\n')) answered += JSON.parse(line)['200'] ?? 0
  })
  await pause(2_000)
  // In turns, so that what else the machine does meets both.
  for (let round = 0; round < 3; round += 1)
    for (const name of ['alone', 'beside'] as const) {
      const before = answered
      for (let part = 0; part < seconds; part += 5) {
        if (name === 'beside')
          await (await fetch(`${server.address}/v1/affiliates?limit=1`, { headers: headersOf(quiet) })).text()
        await pause(5_000)
      }
      rounds[name] += answered - before
    }
  child.kill()
  const share = (rounds.beside / rounds.alone).toFixed(2)
  console.log(`  a busy program beside one request in five seconds: ${share} of its lists alone (goal 0.9)`)
  await untilQuiet(server, quiet, 100)
  console.log(`  ${kind}: ${Math.round(rounds.alone / (3 * seconds))} lists a second alone`)
}

/** Service, flood and quiet client are processes of their own. */
export async function run(seconds: number): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'tributary-bench-'))
  try {
    const embedded = await openDatabase({ dataDir, log })
    const programs = await createPrograms(embedded.db).finally(embedded.close)
    const server = await startEmbedded(dataDir)
    await measure('embedded', server, programs, seconds).finally(server.stop)
    if (!(process.env.BENCH_DATABASE_URL ?? process.env.TEST_DATABASE_URL)) return
    const { db, databaseUrl, drop } = await createPostgresBenchDatabase()
    try {
      const programs = await createPrograms(db)
      const server = await servers.Tributary(databaseUrl)
      await measure('PostgreSQL', server, programs, seconds)
        .then(() => measureBusy('PostgreSQL', server, programs, seconds))
        .finally(server.stop)
    } finally {
      await drop()
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}
