// npm run bench -- NAME [NUMBER] runs one benchmark; NUMBER replaces its default size. Without a name it runs `peers`.
// npm run bench -- --quick compares with the recorded figures, and fails if one is worse; --gate compares five of them in a
// minute; --record records the better ones.
import { parseArgs } from 'node:util'
import * as closedmonths from './closed-months.ts'
import * as engine from './engine.ts'
import * as fairness from './fairness.ts'
import * as feeds from './feeds.ts'
import * as files from './files.ts'
import { modes, runGate } from './gate.ts'
import * as limits from './limits.ts'
import * as mcp from './mcp.ts'
import { commit } from './measure.ts'
import * as memory from './memory.ts'
import * as payoutruns from './payout-runs.ts'
import * as payoutservices from './payout-services.ts'
import * as peers from './peers.ts'
import * as start from './start.ts'
import * as traces from './traces.ts'
import * as verifiedpage from './verified-page.ts'
import * as visits from './visits.ts'
import * as writes from './writes.ts'

type Benchmark = {
  /** One line: what is measured, and against what. */
  summary: string
  /** What NUMBER counts. */
  unit: string
  defaultSize: number
  run(size: number): Promise<void>
}

const benchmarks: Record<string, Benchmark> = {
  peers,
  writes,
  engine,
  start,
  memory,
  visits,
  limits,
  fairness,
  feeds,
  files,
  traces,
  payoutruns,
  payoutservices,
  closedmonths,
  mcp,
  verifiedpage,
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { quick: { type: 'boolean' }, gate: { type: 'boolean' }, record: { type: 'boolean' } },
})
const [name = 'peers', size] = positionals
/** `payout-runs` is `payoutruns`. */
const key = name.replaceAll('-', '')
const benchmark = Object.hasOwn(benchmarks, key) ? benchmarks[key] : undefined
// In the head of each table.
const printCommit = () => console.log(`Commit ${commit()}\n`)
const mode = (Object.keys(modes) as (keyof typeof modes)[]).find((one) => values[one])
if (mode) {
  printCommit()
  if (!(await runGate(mode))) process.exitCode = 1
} else if (benchmark && (size === undefined || Number(size) >= 1)) {
  printCommit()
  await benchmark.run(Math.floor(Number(size ?? benchmark.defaultSize)))
} else {
  const lines = Object.entries(benchmarks).map(
    ([key, { summary, unit, defaultSize }]) =>
      `  ${key.padEnd(10)} ${summary} (NUMBER: ${unit}, default ${defaultSize})`,
  )
  console.log(
    [
      'Usage: npm run bench -- [NAME [NUMBER] | --quick | --gate | --record]',
      '',
      ...lines,
      '',
      'Without a name: peers.',
    ].join('\n'),
  )
  process.exitCode = 1
}
