import { cpus } from 'node:os'
import { createFilledDatabase } from './filled.ts'
import { startLoadGenerator } from './load.ts'
import { median } from './measure.ts'
import { headersOf } from './peers.ts'
import { createScenarios } from './scenarios.ts'
import { type Server, servers } from './servers.ts'

export const summary = 'Two instances on one database against one. PostgreSQL only; it needs a core for each process.'
export const unit = 'sales in the database'
export const defaultSize = 10_000

const goal = 1.7
const rounds = 5
const seconds = 2

/** Each instance has a load generator of its own, with 16 connections. */
export async function run(sales: number): Promise<void> {
  const { databaseUrl, secret, drop, ...filled } = await createFilledDatabase({ sales, affiliates: 1_000 })
  const generators = [startLoadGenerator(), startLoadGenerator()]
  const instances: Server[] = []
  console.log(`${cpus().length} cores for two instances, the database and the load`)
  try {
    instances.push(await servers.Tributary(databaseUrl), await servers.Tributary(databaseUrl))
    for (const { name, requests, facts } of createScenarios(filled)) {
      // The generators number their requests independently, so both would report the same sales.
      if (facts === null) continue
      const perSecond = async (count: number) => {
        const loads = instances.slice(0, count).map(async ({ address }, n) => {
          const generator = generators[n] as (typeof generators)[number]
          const measured = await generator.send(address, requests.Tributary, headersOf(secret), seconds)
          return measured.requests / measured.seconds
        })
        return (await Promise.all(loads)).reduce((sum, rate) => sum + rate, 0)
      }
      await perSecond(2)
      const one: number[] = []
      const two: number[] = []
      for (let round = 0; round < rounds; round += 1) {
        one.push(await perSecond(1))
        two.push(await perSecond(2))
      }
      const ratio = median(two) / median(one)
      console.log(
        `${name}: one ${median(one).toFixed(0)} a second, two ${median(two).toFixed(0)}: ${ratio.toFixed(2)} (goal ${goal})`,
      )
    }
  } finally {
    for (const generator of generators) generator.stop()
    await Promise.all(instances.map((instance) => instance.stop()))
    await drop()
  }
}
