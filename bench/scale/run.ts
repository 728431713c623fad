// npm run scale -- NAME [NUMBER | --quick] runs one script with real parts in a temporary folder, and removes them. NUMBER replaces its
// default size; --quick is the short run for CI.
import * as cells from './cells.ts'
import * as failover from './failover.ts'
import { makeFolderOfRun } from './interrupt.ts'
import * as patroni from './patroni.ts'
import * as programs from './programs.ts'
import * as replicas from './replicas.ts'
import * as rolling from './rolling.ts'
import * as soak from './soak.ts'
import * as visits from './visits.ts'

type Script = {
  summary: string
  unit: string
  defaultSize: number
  quickSize?: number
  run(size: number): Promise<void>
}

const scripts: Record<string, Script> = { cells, failover, patroni, programs, replicas, rolling, soak, visits }

const [name = '', given] = process.argv.slice(2)
const script = Object.hasOwn(scripts, name) ? scripts[name] : undefined
const size = given === '--quick' ? (script?.quickSize ?? script?.defaultSize) : given
if (script && (size === undefined || Number(size) >= 1)) {
  const removeFolder = makeFolderOfRun()
  try {
    await script.run(Math.floor(Number(size ?? script.defaultSize)))
  } finally {
    removeFolder()
  }
  // Kept connections of clients may still be open.
  process.exit()
} else {
  const lines = Object.entries(scripts).map(
    ([key, { summary, unit, defaultSize }]) =>
      `  ${key.padEnd(10)} ${summary} (NUMBER: ${unit}, default ${defaultSize})`,
  )
  console.log(['Usage: npm run scale -- NAME [NUMBER | --quick]', '', ...lines].join('\n'))
  process.exitCode = 1
}
