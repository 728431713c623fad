import { setTimeout as pause } from 'node:timers/promises'
import { createFilledDatabase } from './filled.ts'
import { startLoadGenerator } from './load.ts'
import { headersOf } from './peers.ts'
import { residentMbOf } from './resident-memory.ts'
import { createScenarios } from './scenarios.ts'
import { servers } from './servers.ts'

export const summary = 'Memory at rest, and under a load of reads and writes. PostgreSQL only.'
export const unit = 'minutes of load'
export const defaultSize = 10

const goalMb = 150
/** V8 gives the young generation of up to 64 MB back when little was allocated for some 20 s. */
const restMs = 60_000

export async function run(minutes: number): Promise<void> {
  const { databaseUrl, secret, drop, ...filled } = await createFilledDatabase({ sales: 10_000, affiliates: 1_000 })
  const generator = startLoadGenerator()
  const server = await servers.Tributary(databaseUrl)
  try {
    const scenarios = createScenarios(filled)
    await pause(restMs)
    const report = async (when: string) => console.log(`${when}: ${(await residentMbOf(server.pid)).toFixed(0)} MB`)
    await report(`at rest (goal ${goalMb})`)
    for (let minute = 1; minute <= minutes; minute += 1) {
      for (const { requests } of scenarios)
        await generator.send(server.address, requests.Tributary, headersOf(secret), 60 / scenarios.length)
      await report(`after ${minute} minutes of load`)
    }
    await pause(restMs)
    await report('at rest again')
  } finally {
    generator.stop()
    await server.stop()
    await drop()
  }
}
