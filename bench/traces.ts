import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { affiliates, withPeers } from './peers.ts'
import { type Cost, measureRound, medianCost } from './rounds.ts'
import { type Server, servers } from './servers.ts'

export const summary = 'What traces cost a request: none, of one request in ten, and of all. PostgreSQL only.'
export const unit = 'rounds'
export const defaultSize = 9

const sales = 10_000
const seconds = 2
const names = ['GET /v1/affiliates?limit=25', 'the 25 affiliates by GraphQL', 'POST /v1/conversions']

export async function run(rounds: number): Promise<void> {
  const collector = await startCollector()
  const traced = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.address }
  const variants: Record<string, Record<string, string>> = {
    'no traces': {},
    'one in ten': { ...traced, OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.1' },
    'all requests': traced,
  }
  const started: Server[] = []
  try {
    await withPeers([], sales, async (bench, scenarios, databaseUrl) => {
      const loaded: { name: string; server: Server }[] = []
      for (const [name, env] of Object.entries(variants)) {
        const server = await servers.Tributary(databaseUrl, env)
        started.push(server)
        loaded.push({ name, server })
      }
      for (const { name, requests } of scenarios.filter((scenario) => names.includes(scenario.name))) {
        const costs = new Map<string, Cost[]>()
        for (let round = -1; round < rounds; round += 1) {
          if (round === 0) await bench.analyze()
          for (const { name, server } of loaded) {
            const cost = await measureRound(bench, server, requests.Tributary, seconds)
            // The first round is a warm-up.
            if (round >= 0) costs.set(name, [...(costs.get(name) ?? []), cost])
          }
        }
        print(name, costs)
      }
      console.log(`the collector got ${(collector.bytes() / 1e6).toFixed(0)} MB`)
    })
  } finally {
    await Promise.all(started.map((server) => server.stop()))
    collector.stop()
  }
}

function print(scenario: string, costs: ReadonlyMap<string, Cost[]>): void {
  console.log(`${scenario} (${affiliates} affiliates, ${sales} sales)`)
  const without = medianCost([...costs.values()][0] ?? [])
  for (const [name, each] of costs) {
    const { serverMs, databaseMs, perSecond } = medianCost(each)
    const ratio = (serverMs + databaseMs) / (without.serverMs + without.databaseMs)
    console.log(
      `  ${name.padEnd(13)} ${serverMs.toFixed(3)} + ${databaseMs.toFixed(3)} ms, ${perSecond.toFixed(0)} a second: ${ratio.toFixed(2)} ×`,
    )
  }
}

/** Accepts traces, and only counts their bytes. */
async function startCollector() {
  let bytes = 0
  const server = createServer((request, response) => {
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length
    })
    request.on('end', () => response.setHeader('Content-Type', 'application/json').end('{}'))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { address: `http://127.0.0.1:${port}`, bytes: () => bytes, stop: () => void server.close() }
}
