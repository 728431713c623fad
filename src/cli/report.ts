import { describeCause, OperatorError } from '../database/operator-error.ts'

/** Runs a command. It prints the result, or a message with exit code 1 if it fails. It never prints a stack trace. */
export async function report(run: () => Promise<string>): Promise<void> {
  try {
    console.log(await run())
  } catch (error) {
    console.error(error instanceof OperatorError ? error.message : describeCause(error))
    process.exitCode = 1
  }
}
