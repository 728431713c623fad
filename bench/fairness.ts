import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { openDatabase } from '../src/database/open.ts'
import type { PrismaClient } from '../src/generated/prisma/client.ts'
import { createApiKey } from '../src/modules/access/api-keys/service.ts'
import { importAffiliates } from '../src/modules/affiliates/csv-import.ts'
import { createProgram } from '../src/modules/programs/service.ts'
import { createPostgresBenchDatabase, log, operatorCtx } from './database.ts'
import { type LoadGenerator, startLoadGenerator } from './load.ts'
import { median } from './measure.ts'
import { headersOf } from './peers.ts'
import { type Server, servers, startEmbedded } from './servers.ts'

export const summary = 'What a quiet program waits while another floods the service with queries that are allowed.'
export const unit = 'seconds'
export const defaultSize = 10

const goal = 2
const floodConnections = 100
const pauseMs = 20
const flood = {
  method: 'POST',
  path: '/graphql',
  body: JSON.stringify({
    query: '{ affiliates(first: 100) { nodes { id email campaign { name } links(first: 5) { nodes { id url } } } } }',
  }),
} as const

/** Returns the secret of a key of a new program. */
async function createFilled(db: PrismaClient, affiliates: number): Promise<string> {
  const ctx = operatorCtx(db)
  const program = await createProgram(ctx, { name: 'Bench', url: 'https://acme.test', currency: 'usd' })
  const csv = ['email', ...Array.from({ length: affiliates }, (_, n) => `affiliate-${n}@example.com`)].join('\n')
  await importAffiliates({ ...ctx, program }, { csv })
  return (await createApiKey(ctx, program.id, { name: 'Bench' })).secret
}

/** How long the requests of a quiet client take, in milliseconds. */
async function measureQuiet({ address }: Server, secret: string, seconds: number): Promise<number[]> {
  const times: number[] = []
  for (const until = performance.now() + seconds * 1_000; performance.now() < until; ) {
    const startedAt = performance.now()
    const response = await fetch(`${address}/v1/affiliates`, { headers: headersOf(secret) })
    await response.text()
    if (!response.ok) throw new Error(`The quiet program got a ${response.status}.`)
    times.push(performance.now() - startedAt)
    await pause(pauseMs)
  }
  return times
}

const told = (times: number[]) => {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) => (sorted[Math.floor(share * (sorted.length - 1))] as number).toFixed(1)
  return `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, ${sorted.length} requests`
}

type Programs = { quiet: string; flooding: string }

async function measure(server: Server, { quiet, flooding }: Programs, generator: LoadGenerator, seconds: number) {
  await measureQuiet(server, quiet, 2)
  const alone = await measureQuiet(server, quiet, seconds)
  const flooded = generator.send(server.address, flood, headersOf(flooding), seconds + 2, floodConnections)
  await pause(1_000)
  const during = await measureQuiet(server, quiet, seconds)
  const { requests, seconds: lasted } = await flooded
  console.log(`  the quiet program alone: ${told(alone)}`)
  console.log(`  while another floods (${(requests / lasted).toFixed(0)} queries/s): ${told(during)}`)
  console.log(`  p50 is ${(median(during) / median(alone)).toFixed(1)} times the quiet one (goal ${goal})`)
}

/** Service, flood and quiet client are processes of their own. */
export async function run(seconds: number): Promise<void> {
  const generator = startLoadGenerator()
  const dataDir = await mkdtemp(join(tmpdir(), 'tributary-bench-'))
  const fillBoth = async (db: PrismaClient): Promise<Programs> => ({
    quiet: await createFilled(db, 50),
    flooding: await createFilled(db, 500),
  })
  try {
    const embedded = await openDatabase({ dataDir, log })
    const programs = await fillBoth(embedded.db).finally(embedded.close)
    const server = await startEmbedded.Tributary(dataDir)
    console.log('embedded')
    await measure(server, programs, generator, seconds).finally(server.stop)
    if (!(process.env.BENCH_DATABASE_URL ?? process.env.TEST_DATABASE_URL)) return
    const { db, databaseUrl, drop } = await createPostgresBenchDatabase()
    try {
      const programs = await fillBoth(db)
      const server = await servers.Tributary(databaseUrl)
      console.log('PostgreSQL')
      await measure(server, programs, generator, seconds).finally(server.stop)
    } finally {
      await drop()
    }
  } finally {
    generator.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}
