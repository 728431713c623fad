import type pg from 'pg'
import { cpuBetween, processCpuMs, readBackends } from './cpu.ts'
import type { LoadGenerator, Request } from './load.ts'
import { median } from './measure.ts'
import type { Running } from './same-answers.ts'
import type { Scenario } from './scenarios.ts'
import type { Server, ServerName } from './servers.ts'

/** Milliseconds are CPU time for each request. */
export type Cost = { perSecond: number; serverMs: number; databaseMs: number }
export type Costs = Partial<Record<ServerName, Cost>>

export type Rounds = { count: number; seconds: number; warmUpSeconds: number }
export type Bench = {
  running: Running
  generator: LoadGenerator
  headers: Record<string, string>
  /** Connected to another database of the same server. */
  observer: pg.Client
  database: string
  /** Gathers the planner's statistics, which would otherwise change in the middle of a round of writes. */
  analyze(): Promise<void>
}

/** Loads each server of the scenario in turn, several times. Returns the medians. */
export async function measureScenario(bench: Bench, scenario: Scenario, rounds: Rounds): Promise<Costs> {
  const loaded = (Object.entries(scenario.requests) as [ServerName, Request][]).flatMap(([name, request]) => {
    const server = bench.running[name]
    return server ? [{ name, request, server, costs: [] as Cost[] }] : []
  })
  for (const { request, server } of loaded) await measureRound(bench, server, request, rounds.warmUpSeconds)
  await bench.analyze()
  for (let round = 0; round < rounds.count; round += 1)
    for (const { request, server, costs } of loaded)
      costs.push(await measureRound(bench, server, request, rounds.seconds))
  return Object.fromEntries(loaded.map(({ name, costs }) => [name, medianCost(costs)]))
}

export async function measureRound(bench: Bench, server: Server, request: Request, seconds: number): Promise<Cost> {
  const { generator, headers, observer, database } = bench
  const backendsBefore = await readBackends(observer, database)
  const serverBefore = await processCpuMs(server.pid)
  const measured = await generator.send(server.address, request, headers, seconds)
  const serverMs = (await processCpuMs(server.pid)) - serverBefore
  const databaseMs = cpuBetween(backendsBefore, await readBackends(observer, database))
  return {
    perSecond: measured.requests / measured.seconds,
    serverMs: serverMs / measured.requests,
    databaseMs: databaseMs / measured.requests,
  }
}

export const medianCost = (costs: Cost[]): Cost => ({
  perSecond: median(costs.map(({ perSecond }) => perSecond)),
  serverMs: median(costs.map(({ serverMs }) => serverMs)),
  databaseMs: median(costs.map(({ databaseMs }) => databaseMs)),
})
