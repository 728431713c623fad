// npm run scale -- NAME [NUMBER] runs one script with real parts in a temporary folder, and removes them. NUMBER replaces its default size.
import * as rolling from './rolling.ts'

type Script = { summary: string; unit: string; defaultSize: number; run(size: number): Promise<void> }

const scripts: Record<string, Script> = { rolling }

const [name = '', size] = process.argv.slice(2)
const script = Object.hasOwn(scripts, name) ? scripts[name] : undefined
if (script && (size === undefined || Number(size) >= 1)) {
  await script.run(Math.floor(Number(size ?? script.defaultSize)))
  // Kept connections of clients may still be open.
  process.exit()
} else {
  const lines = Object.entries(scripts).map(
    ([key, { summary, unit, defaultSize }]) =>
      `  ${key.padEnd(10)} ${summary} (NUMBER: ${unit}, default ${defaultSize})`,
  )
  console.log(['Usage: npm run scale -- NAME [NUMBER]', '', ...lines].join('\n'))
  process.exitCode = 1
}
