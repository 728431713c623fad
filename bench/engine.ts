import { allMechanisms, mechanisms } from '../src/kernel/engine.ts'
import { withPeers } from './peers.ts'
import { type Cost, measureRound, medianCost } from './rounds.ts'
import { type Server, servers } from './servers.ts'

export const summary = 'What each mechanism of ENGINE saves: Tributary without it, and without all. PostgreSQL only.'
export const unit = 'sales'
export const defaultSize = 10_000

const rounds = 5
const seconds = 1

/** By what ENGINE is set to. The first is what the others are compared with. */
const engines = [
  { engine: 'full', description: 'all mechanisms' },
  ...allMechanisms.map((left) => ({
    engine: allMechanisms.filter((name) => name !== left).join(),
    description: `without ${left}: ${mechanisms[left]}`,
  })),
  { engine: 'plain', description: 'none of them' },
]

export async function run(sales: number): Promise<void> {
  await withPeers([], sales, async (bench, scenarios, databaseUrl) => {
    const started: Server[] = []
    try {
      for (const { engine } of engines) started.push(await servers.Tributary(databaseUrl, { ENGINE: engine }))
      for (const { name, requests } of scenarios.filter(({ isInGate }) => isInGate)) {
        const costs = started.map((): Cost[] => [])
        for (const server of started) await measureRound(bench, server, requests.Tributary, 2 * seconds)
        for (let round = 0; round < rounds; round += 1)
          for (const [at, server] of started.entries())
            costs[at]?.push(await measureRound(bench, server, requests.Tributary, seconds))
        print(name, costs.map(medianCost))
      }
    } finally {
      await Promise.all(started.map((server) => server.stop()))
    }
  })
}

function print(name: string, costs: Cost[]): void {
  const sum = ({ serverMs, databaseMs }: Cost) => serverMs + databaseMs
  const [full] = costs as [Cost]
  console.log(name)
  for (const [at, cost] of costs.entries()) {
    const times = (sum(cost) / sum(full)).toFixed(2)
    const ms = `${cost.serverMs.toFixed(2)} + ${cost.databaseMs.toFixed(2)} ms`
    console.log(`  ${ms.padEnd(16)} ${times} of the CPU: ${engines[at]?.description}`)
  }
}
