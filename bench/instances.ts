import { type ChildProcess, spawn } from 'node:child_process'
import { cpus } from 'node:os'
import { createFilledDatabase } from './filled.ts'
import { startLoadGenerator } from './load.ts'
import { median } from './measure.ts'
import { headersOf } from './peers.ts'
import { createScenarios } from './scenarios.ts'
import { type Server, servers } from './servers.ts'

export const summary =
  'Two instances on one database against one. PostgreSQL only; with fewer than five cores it needs cpulimit.'
export const unit = 'sales in the database'
export const defaultSize = 10_000

const goal = 1.7
const rounds = 5
const seconds = 2

/** For two instances, their load generators and the database. */
const coresForAll = 5
/** What an instance may use, in percent of a core, where the cores are not enough for all. So the database has room. */
const shareWithoutRoom = 25
/** The generators number their requests. Those of the second begin here, so that it does not report the sales of the first. */
const firstOfSecond = 10_000_000

/** Each instance has a load generator of its own, with 16 connections. */
export async function run(sales: number): Promise<void> {
  const { databaseUrl, secret, drop, ...filled } = await createFilledDatabase({ sales, affiliates: 1_000 })
  const generators = [startLoadGenerator(), startLoadGenerator(firstOfSecond + sales / 2)]
  const limiters: ChildProcess[] = []
  const instances: Server[] = []
  console.log(`${cpus().length} cores for two instances, the database and the load`)
  try {
    instances.push(await servers.Tributary(databaseUrl), await servers.Tributary(databaseUrl))
    if (cpus().length < coresForAll) {
      for (const { pid } of instances) limiters.push(await limit(pid, shareWithoutRoom))
      console.log(`each instance is limited to ${shareWithoutRoom} % of a core`)
    }
    for (const { name, requests } of createScenarios(filled)) {
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
    for (const limiter of limiters) limiter.kill()
    await Promise.all(instances.map((instance) => instance.stop()))
    await drop()
  }
}

/** Stops and continues a process in turns, so that it uses no more than this part of a core. @param percent of a core */
const limit = (pid: number, percent: number) =>
  new Promise<ChildProcess>((resolve, reject) => {
    const limiter = spawn('cpulimit', ['-p', `${pid}`, '-l', `${percent}`, '-z'], { stdio: 'ignore' })
    limiter.once('spawn', () => resolve(limiter))
    limiter.once('error', () =>
      reject(new Error(`This machine has fewer than ${coresForAll} cores. Install cpulimit to measure on it.`)),
    )
  })
