// npm run resilience -- NAME [NUMBER] runs one script; NUMBER replaces its default size. Scripts that need PostgreSQL start a server of
// their own, with the programs in /usr/lib/postgresql.
import * as backup from './backup.ts'
import * as contention from './contention.ts'
import * as crowd from './crowd.ts'
import * as disk from './disk.ts'
import * as kills from './kills.ts'
import * as memory from './memory.ts'
import * as outages from './outages.ts'
import * as pitr from './pitr.ts'
import * as powercuts from './power-cuts.ts'
import * as restart from './restart.ts'
import * as stop from './stop.ts'

type Script = { summary: string; unit: string; defaultSize: number; run(size: number): Promise<void> }

const scripts: Record<string, Script> = {
  backup,
  contention,
  crowd,
  disk,
  kills,
  memory,
  outages,
  pitr,
  powercuts,
  restart,
  stop,
}

const [name = '', size] = process.argv.slice(2)
const script = Object.hasOwn(scripts, name) ? scripts[name] : undefined
if (script && (size === undefined || Number(size) >= 1)) {
  await script.run(Math.floor(Number(size ?? script.defaultSize)))
  // Clients of a service that was killed may still wait.
  process.exit()
} else {
  const lines = Object.entries(scripts).map(
    ([key, { summary, unit, defaultSize }]) =>
      `  ${key.padEnd(10)} ${summary} (NUMBER: ${unit}, default ${defaultSize})`,
  )
  console.log(['Usage: npm run resilience -- NAME [NUMBER]', '', ...lines].join('\n'))
  process.exitCode = 1
}
