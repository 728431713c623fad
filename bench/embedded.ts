import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openEmbedded } from '../src/database/embedded/open.ts'
import { openDatabase } from '../src/database/open.ts'
import { createApiKey } from '../src/modules/access/api-keys/service.ts'
import { createProgram } from '../src/modules/programs/service.ts'
import { processCpuMs } from './cpu.ts'
import { log, operatorCtx } from './database.ts'
import { fill } from './fill.ts'
import { filledYear } from './filled.ts'
import { startLoadGenerator } from './load.ts'
import { median } from './measure.ts'
import { headersOf } from './peers.ts'
import { createScenarios, type Scenario } from './scenarios.ts'
import { startEmbedded } from './servers.ts'

export const summary = 'Reported sales on the embedded database, 16 at once, against the same statements by hand.'
export const unit = 'sales in the database'
export const defaultSize = 10_000

const affiliates = 1_000
const goal = 0.6
const rounds = 3
const seconds = 5
const warmUpSeconds = 5

/** Both open the database in the same way, so that each commit waits for the disk. They take turns, as it has one user. */
export async function run(sales: number): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'tributary-bench-'))
  const generator = startLoadGenerator()
  try {
    const { secret, ...filled } = await fillEmbedded(dataDir, sales)
    const scenario = createScenarios(filled).find(({ name }) => name === 'POST /v1/conversions') as Scenario
    const request = scenario.requests.Tributary
    const measured = { Tributary: [] as number[], 'by hand': [] as number[] }
    for (let round = 0; round < rounds; round += 1) {
      for (const name of ['Tributary', 'by hand'] as const) {
        const server = await startEmbedded[name](dataDir)
        try {
          await generator.send(server.address, request, headersOf(secret), warmUpSeconds)
          const before = await processCpuMs(server.pid)
          const { requests, seconds: lasted } = await generator.send(
            server.address,
            request,
            headersOf(secret),
            seconds,
          )
          const cpuMs = ((await processCpuMs(server.pid)) - before) / requests
          measured[name].push(requests / lasted)
          console.log(`  ${name}: ${(requests / lasted).toFixed(0)} a second, ${cpuMs.toFixed(1)} ms CPU`)
        } finally {
          await server.stop()
        }
      }
    }
    const ratio = median(measured.Tributary) / median(measured['by hand'])
    console.log(`Tributary against the same statements by hand: ${ratio.toFixed(2)} (goal ${goal})`)
  } finally {
    generator.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

/** Creates a program with rows in an embedded database, and closes it. */
export async function fillEmbedded(dataDir: string, sales: number) {
  const { db, close } = await openDatabase({ dataDir, log })
  const ctx = operatorCtx(db)
  const { id, publishableKey } = await createProgram(ctx, { name: 'Bench', url: 'https://acme.test', currency: 'usd' })
  const { secret } = await createApiKey(ctx, id, { name: 'Bench' })
  await close()
  const embedded = await openEmbedded({ dataDir, log })
  await embedded.pglite.exec(fill(id, sales, affiliates, filledYear))
  await embedded.pglite.exec('vacuum analyze')
  await embedded.close()
  return { programId: id, publishableKey, secret, sales, affiliates }
}
