import { run } from './run.ts'

await run(['move', ...process.argv.slice(2)])
