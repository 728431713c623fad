import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type pg from 'pg'
import { commit } from './measure.ts'
import type { Cost, Costs, Rounds } from './rounds.ts'
import type { Scenario } from './scenarios.ts'
import type { ServerName } from './servers.ts'

const file = fileURLToPath(new URL('RESULTS.md', import.meta.url))
const start = '<!-- npm run bench writes from here'
const end = '<!-- to here -->'

export type Result = { scenario: Scenario; costs: Costs }

type Setting = { sales: number; affiliates: number; rounds: Rounds; observer: pg.Client }

/** Replaces the table of the latest run; the rest of the file is kept. */
export async function saveResults(results: Result[], setting: Setting): Promise<void> {
  const text = await readFile(file, 'utf8')
  const before = text.slice(0, text.indexOf(start))
  const after = text.slice(text.indexOf(end))
  await writeFile(file, `${before}${start} -->\n\n${await describe(results, setting)}\n${after}`)
  console.log(`\n${tableOf(results)}\n\nWritten to bench/RESULTS.md.`)
}

async function describe(results: Result[], { sales, affiliates, rounds, observer }: Setting): Promise<string> {
  const { rows } = await observer.query<{ server_version: string }>('show server_version')
  const postgres = rows[0]?.server_version.split(' ')[0]
  const date = new Date().toISOString().slice(0, 10)
  const setting = `${date}, commit ${commit()}, Node.js ${process.versions.node}, PostgreSQL ${postgres}, ${sales} sales, ${affiliates} affiliates, medians of ${rounds.count} rounds of ${rounds.seconds} seconds.`
  return `${setting}\n\n${tableOf(results)}\n`
}

export function tableOf(results: Result[]): string {
  const rows = results.flatMap(({ scenario, costs }) => {
    const ours = costs.Tributary
    const peers = (Object.entries(costs) as [ServerName, Cost][]).filter(([name]) => name !== 'Tributary')
    if (!ours) return []
    return peers.map(([name, peer], n) => {
      const goal = scenario.goals[name]
      const judged = (ratio: number) => `${ratio.toFixed(2)}${goal === undefined ? '' : ratio >= goal ? ' ✓' : ' ✗'}`
      const requests = judged(ours.perSecond / peer.perSecond)
      const cpu = judged((peer.serverMs + peer.databaseMs) / (ours.serverMs + ours.databaseMs))
      return [n === 0 ? scenario.name : '', name, goal?.toFixed(1) ?? '', requests, cpu, cell(ours), cell(peer)]
    })
  })
  const head = ['what', 'against', 'goal', 'requests/s', 'CPU', 'Tributary', 'the other']
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

const cell = ({ serverMs, databaseMs }: Cost) => `${serverMs.toFixed(2)} + ${databaseMs.toFixed(2)} ms`
