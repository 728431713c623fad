import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { median } from './measure.ts'
import { withPeers } from './peers.ts'
import { type Bench, measureScenario, type Rounds } from './rounds.ts'
import { ask, checkAnswers } from './same-answers.ts'
import type { Scenario } from './scenarios.ts'
import { servers } from './servers.ts'
import { type Sent, startCountingProxy } from './statements.ts'

/** Recorded on a PostgreSQL with fsync. Without it, as in .ci/run, the ratios of writes are others. */
const file = fileURLToPath(new URL('recorded.json', import.meta.url))
/** After 1.5 s of warm-up, a sale still costs a quarter more than later. */
const rounds: Rounds = { count: 3, seconds: 1, warmUpSeconds: 3 }
const sales = 10_000
const peer = 'fastify + pg'

/** The CPU time of `fastify + pg` for a request divided by Tributary's, and what Tributary sends to the database for it. */
type Recorded = Record<string, { cpuRatio: number } & Sent>

/** Requests of each scenario that are counted, after as many that are not. */
const countedRequests = 20

export const modes = {
  /** Every scenario, on a quiet machine: a ratio that is worse by a fifth fails. */
  quick: { isPart: false, leastOfRecorded: 0.8, tries: 3 },
  /** Five requests in a minute. On a busy machine, ratios swing by a quarter, so only a third in two of three tries fails. */
  gate: { isPart: true, leastOfRecorded: 2 / 3, tries: 3 },
  record: { isPart: false, leastOfRecorded: 1, tries: 3 },
} satisfies Record<string, Mode>

type Mode = { isPart: boolean; leastOfRecorded: number; tries: number }

/**
 * Compares with the recorded figures, and says which are worse: a ratio, or one statement more. Ratios are nearly the
 * same on every machine; times are not. `record` keeps the better of the old and the new figure. To accept a worse
 * figure, remove the old one from the file first, and say why in the commit.
 *
 * @returns whether it passed
 */
export async function runGate(name: keyof typeof modes): Promise<boolean> {
  const mode = modes[name]
  const recorded: Recorded = JSON.parse(await readFile(file, 'utf8'))
  const measured = await measure(mode, recorded)
  if (name === 'record') {
    const best = Object.entries(measured).map(([name, figures]) => [name, bestOf(figures, recorded[name])])
    await writeFile(file, `${JSON.stringify(Object.fromEntries(best), null, 2)}\n`)
    console.log('Written to bench/recorded.json.')
    return true
  }
  const stale = mode.isPart ? [] : Object.keys(recorded).filter((name) => !measured[name])
  const problems = Object.entries(measured).flatMap(([name, now]) => {
    const then = recorded[name]
    if (!then) return [`${name}: no recorded figures. npm run bench -- --record writes them`]
    return [
      ...(isWorse(now.cpuRatio, then, mode) ? [`${name}: CPU ratio ${now.cpuRatio}, recorded ${then.cpuRatio}`] : []),
      ...(now.statements > then.statements
        ? [`${name}: ${now.statements} statements, recorded ${then.statements}`]
        : []),
      ...(now.parsed > then.parsed ? [`${name}: ${now.parsed} statements parsed, recorded ${then.parsed}`] : []),
    ]
  })
  problems.push(...stale.map((name) => `${name}: not measured`))
  for (const problem of problems) console.log(`worse: ${problem}`)
  if (problems.length === 0) console.log('No figure is worse than recorded.')
  return problems.length === 0
}

type Figures = Recorded[string]

const isWorse = (cpuRatio: number, then: Figures | undefined, { leastOfRecorded }: Mode) =>
  then !== undefined && cpuRatio < then.cpuRatio * leastOfRecorded

const bestOf = (now: Figures, then: Figures | undefined): Figures =>
  then && then.cpuRatio > now.cpuRatio ? { ...now, cpuRatio: then.cpuRatio } : now

const measure = (mode: Mode, recorded: Recorded): Promise<Recorded> =>
  withPeers(['Tributary', peer], sales, async (bench, all, databaseUrl) => {
    const measured: Recorded = {}
    const scenarios = all.filter(({ isInGate }) => isInGate || !mode.isPart)
    const sent = await countStatements(databaseUrl, scenarios, bench.headers)
    for (const scenario of scenarios) {
      await checkAnswers(bench.running, scenario, bench.headers)
      const ratios: number[] = []
      // Other work on the machine changes a ratio, so what looks worse is measured again. The median of all tries counts.
      do ratios.push(await measureRatio(bench, scenario))
      while (ratios.length < mode.tries && needsMore(median(ratios), recorded[scenario.name], mode))
      const cpuRatio = Number(median(ratios).toFixed(3))
      const figures = { cpuRatio, ...(sent.get(scenario.name) as Sent) }
      measured[scenario.name] = figures
      const { statements, parsed, roundTrips } = figures
      console.log(
        `${scenario.name}: ${cpuRatio} times as fast as ${peer} by CPU; ${statements} statements, ${parsed} parsed, ${roundTrips} round trips`,
      )
    }
    return measured
  })

/** What is recorded is always the median of all tries. */
const needsMore = (ratio: number, then: Figures | undefined, mode: Mode) =>
  mode === modes.record || isWorse(ratio, then, mode)

async function measureRatio(bench: Bench, scenario: Scenario): Promise<number> {
  const { Tributary: ours, [peer]: theirs } = await measureScenario(bench, scenario, rounds)
  if (!ours || !theirs) throw new Error(`${scenario.name} was not measured.`)
  return (theirs.serverMs + theirs.databaseMs) / (ours.serverMs + ours.databaseMs)
}

/** A Tributary of its own behind a proxy, so that counting costs the measured one nothing. */
async function countStatements(
  databaseUrl: string,
  scenarios: Scenario[],
  headers: Record<string, string>,
): Promise<Map<string, Sent>> {
  const proxy = await startCountingProxy(databaseUrl)
  const server = await servers.Tributary(proxy.databaseUrl)
  const counted = new Map<string, Sent>()
  try {
    let n = 0
    for (const { name, requests } of scenarios) {
      const request = requests.Tributary
      const send = async () => {
        for (let sent = 0; sent < countedRequests; sent += 1) {
          n += 1
          await ask(server, request, headers, n)
        }
      }
      await send()
      const before = proxy.read()
      await send()
      counted.set(name, perRequest(before, proxy.read()))
    }
  } finally {
    await server.stop()
    proxy.close()
  }
  return counted
}

/** Rounded down: what happens in the background, such as counting visitors, is not part of a request. */
function perRequest(before: Sent, after: Sent): Sent {
  const each = (key: keyof Sent) => Math.floor((after[key] - before[key]) / countedRequests)
  return { statements: each('statements'), parsed: each('parsed'), roundTrips: each('roundTrips') }
}
