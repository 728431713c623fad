import { open, writeFile } from 'node:fs/promises'
import { describeCause, OperatorError } from '../../database/operator-error.ts'

/**
 * The file that the report goes to. It is opened before the run, which may take hours, so that its report is not lost in
 * the end; what an earlier run wrote stays until there is a new one.
 *
 * @throws OperatorError where it can not be written
 */
export async function createReportFile(path: string) {
  const trouble = (error: unknown) =>
    `The report can not be written to ${path || 'a file without a name'} (${describeCause(error)}): name another file as --json.`
  try {
    await (await open(path, 'a')).close()
  } catch (error) {
    throw new OperatorError(trouble(error))
  }
  return {
    /** What went wrong all the same, such as a disk that is full by now; null where it is written. */
    write: (report: unknown): Promise<string | null> =>
      writeFile(path, `${JSON.stringify(report, null, 2)}\n`).then(() => null, trouble),
  }
}
