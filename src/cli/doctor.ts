import { run } from './run.ts'

await run(['doctor', ...process.argv.slice(2)])
