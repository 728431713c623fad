import { run } from './run.ts'

/** `npm run admin`: every command. */
await run(process.argv.slice(2))
