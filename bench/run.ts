// npm run bench -- NAME [NUMBER] runs one benchmark; without a name it lists them. NUMBER replaces the default size.
import * as analytics from './analytics.ts'
import * as exports from './exports.ts'
import * as limits from './limits.ts'
import * as lists from './lists.ts'
import * as visits from './visits.ts'

type Benchmark = {
  /** One line: what is measured, and against what. */
  summary: string
  /** What NUMBER counts. */
  unit: string
  defaultSize: number
  run(size: number): Promise<void>
}

const benchmarks: Record<string, Benchmark> = { visits, limits, exports, lists, analytics }

const [name = '', size] = process.argv.slice(2)
const benchmark = Object.hasOwn(benchmarks, name) ? benchmarks[name] : undefined
if (benchmark && (size === undefined || Number(size) >= 1)) {
  await benchmark.run(Math.floor(Number(size ?? benchmark.defaultSize)))
} else {
  const lines = Object.entries(benchmarks).map(
    ([key, { summary, unit, defaultSize }]) =>
      `  ${key.padEnd(10)} ${summary} (NUMBER: ${unit}, default ${defaultSize})`,
  )
  console.log(['Usage: npm run bench -- NAME [NUMBER]', '', ...lines].join('\n'))
  process.exitCode = name === '' ? 0 : 1
}
