import { describeCause, OperatorError } from '../database/operator-error.ts'

/** Runs a command line tool: its answer on success, what to do and exit code 1 on failure, never a stack trace. */
export async function report(run: () => Promise<string>): Promise<void> {
  try {
    console.log(await run())
  } catch (error) {
    console.error(error instanceof OperatorError ? error.message : describeCause(error))
    process.exitCode = 1
  }
}
