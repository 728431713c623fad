import { withClient } from './database.ts'
import { createFilledDatabase } from './filled.ts'
import { type LoadGenerator, startLoadGenerator } from './load.ts'
import { type Result, saveResults } from './results.ts'
import { type Bench, type Costs, measureScenario, type Rounds } from './rounds.ts'
import { checkAnswers, type Running } from './same-answers.ts'
import { createScenarios, type Scenario } from './scenarios.ts'
import { type ServerName, servers } from './servers.ts'

export const summary = 'Tributary against servers written by hand, Prisma and PostGraphile. PostgreSQL only.'
export const unit = 'sales'
export const defaultSize = 10_000

export const affiliates = 1_000
/** Node.js has compiled what requests use after some ten seconds. */
const rounds: Rounds = { count: 5, seconds: 2, warmUpSeconds: 10 }

export async function run(sales: number): Promise<void> {
  await withPeers(Object.keys(servers) as ServerName[], sales, async (bench, scenarios) => {
    const results = await measureAll(bench, scenarios)
    await saveResults(results, { sales, affiliates, rounds, observer: bench.observer })
  })
}

/** Prints each result as soon as it is there. */
export async function measureAll(bench: Bench, scenarios: Scenario[]): Promise<Result[]> {
  const results: Result[] = []
  for (const scenario of scenarios) {
    await checkAnswers(bench.running, scenario, bench.headers)
    const costs = await measureScenario(bench, scenario, rounds)
    results.push({ scenario, costs })
    printScenario(scenario, costs)
  }
  return results
}

/** Starts servers on one filled database, and ends everything afterwards. */
export async function withPeers<T>(
  names: ServerName[],
  sales: number,
  work: (bench: Bench, scenarios: Scenario[], databaseUrl: string) => Promise<T>,
): Promise<T> {
  const { databaseUrl, secret, drop, ...filled } = await createFilledDatabase({ sales, affiliates })
  const running: Running = {}
  let generator: LoadGenerator | undefined
  try {
    const loader = startLoadGenerator()
    generator = loader
    for (const name of names) running[name] = await servers[name](databaseUrl)
    const observed = Object.assign(new URL(databaseUrl), { pathname: '/postgres' }).href
    return await withClient(observed, (observer) => {
      const database = new URL(databaseUrl).pathname.slice(1)
      const analyze = () => withClient(databaseUrl, async (client) => void (await client.query('analyze')))
      const bench = { running, generator: loader, headers: headersOf(secret), observer, database, analyze }
      return work(bench, createScenarios(filled), databaseUrl)
    })
  } finally {
    generator?.stop()
    await Promise.all(Object.values(running).map((server) => server.stop()))
    await drop()
  }
}

/** Tracking ignores clients that do not look like a browser. */
export const headersOf = (secret: string): Record<string, string> => ({
  Authorization: `Bearer ${secret}`,
  'Content-Type': 'application/json',
  'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
})

function printScenario({ name }: Scenario, costs: Costs): void {
  console.log(name)
  const ours = costs.Tributary
  for (const [server, { perSecond, serverMs, databaseMs }] of Object.entries(costs)) {
    const ratio = ours ? (ours.perSecond / perSecond).toFixed(2) : ''
    console.log(
      `  ${server.padEnd(26)} ${perSecond.toFixed(0).padStart(6)} a second, ${serverMs.toFixed(2)} ms + ${databaseMs.toFixed(2)} ms database; Tributary ${ratio} of its requests`,
    )
  }
}
