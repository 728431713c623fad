import { describeCause, OperatorError } from '../database/operator-error.ts'
import { resultText } from './result-text.ts'

/**
 * Runs a command. It prints the result, unless it is null, or a message with exit code 1 if it fails. It never prints a
 * stack trace.
 */
export async function report(run: () => Promise<string | null>): Promise<void> {
  try {
    const text = await run()
    if (text !== null) console.log(text)
  } catch (error) {
    console.error(error instanceof OperatorError ? error.message : describeCause(error))
    process.exitCode = 1
  }
}

/** Runs a command whose result is a table on a terminal, and JSON for other programs. */
export const reportResult = ({ json }: { json?: boolean }, run: () => Promise<unknown>): Promise<void> =>
  report(async () => {
    const result = await run()
    return json || !process.stdout.isTTY ? JSON.stringify(result) : resultText(result)
  })
