import { describeCause } from '../database/operator-error.ts'

/** Runs a command line tool: one line on success, one line and exit code 1 on failure, never a stack trace. */
export async function report(run: () => Promise<string>): Promise<void> {
  try {
    console.log(await run())
  } catch (error) {
    console.error(describeCause(error))
    process.exitCode = 1
  }
}
