import { run } from './run.ts'

await run(['import', ...process.argv.slice(2)])
