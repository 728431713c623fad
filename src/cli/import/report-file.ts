import { open, writeFile } from 'node:fs/promises'
import { describeCause, OperatorError } from '../../database/operator-error.ts'

/**
 * The JSON report. It is opened before the run, so that a wrong path fails at once. An earlier report
 * stays until the new one is written.
 * @throws OperatorError if the file cannot be written
 */
export async function createReportFile(path: string) {
  const failure = (error: unknown) =>
    `Cannot write the report to ${path || 'a file without a name'} (${describeCause(error)}). Choose another file with --json.`
  try {
    await (await open(path, 'a')).close()
  } catch (error) {
    throw new OperatorError(failure(error))
  }
  return {
    /** Writes the report. Returns a message if that failed, for example because the disk is full; otherwise null. */
    write: (report: unknown): Promise<string | null> =>
      writeFile(path, `${JSON.stringify(report, null, 2)}\n`).then(() => null, failure),
  }
}
