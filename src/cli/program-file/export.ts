import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { OperatorError } from '../../database/operator-error.ts'
import {
  keyOfInstallation,
  operatorOnCommandLine,
  readFileKey,
  type Session,
  showProgress,
  withStore,
} from './session.ts'

type ExportOptions = { program: string; file: string; keyFile?: string; close: boolean }

/** @returns what was written, for the operator */
export const exportProgram = ({ program: idOrSlug, file, keyFile, close }: ExportOptions): Promise<string> =>
  withStore(async (session) => {
    const { db, query } = session
    if (await exists(file)) throw new OperatorError(`${file} exists. Name a new file.`)
    const { writeProgram } = await import('../../database/program-file/write.ts')
    const { schemaVersion } = await import('../../database/program-file/open.ts')
    const { keyCheckOf, reencrypt } = await import('../../modules/program-files/secrets.ts')
    const { findProgramByName } = await import('../../modules/programs/service.ts')
    const program = await findProgramByName({ db }, idOrSlug)
    const own = await keyOfInstallation(session)
    const key = keyFile === undefined ? own : await readFileKey(keyFile)
    const closedAt = performance.now()
    if (close) await setClosed(session, program, true)
    const progress = showProgress()
    const { id, slug, name, publishableKey, previousPublishableKey } = program
    const { digests, rows, bytes } = await writeProgram(query, {
      programId: id,
      file,
      header: {
        schema: schemaVersion(),
        exportedAt: new Date().toISOString(),
        program: {
          ...{ id, slug, name },
          publishableKeys: [publishableKey, previousPublishableKey].filter((one) => one !== null),
        },
        keyCheck: keyCheckOf(key),
        hasOwnKey: keyFile !== undefined,
      },
      convert: (table) => reencrypt(own, key, table),
      onProgress: progress.show,
    }).finally(progress.end)
    const seconds = ((performance.now() - closedAt) / 1000).toFixed(1)
    return [
      `Exported the program ${slug} (${id}) to ${resolve(file)}: ${rows} rows of ${Object.keys(digests).length} tables, ${bytes} bytes, ${seconds} s.`,
      ...digestLines(digests),
      close
        ? `The program is closed to writes here. After the import: delete-program. To go back: open-program --program ${slug}`
        : 'The program goes on here: what is written from now on is not in the file.',
      keyFile === undefined
        ? 'Its secrets are encrypted with WEBHOOK_KEY: the other installation needs the same. For another one, export with --key-file.'
        : `Its secrets are encrypted with the key in ${keyFile}, which the import needs.`,
    ].join('\n')
  })

const exists = (file: string): Promise<boolean> =>
  stat(file).then(
    () => true,
    () => false,
  )

/** Closes a program to writes, or opens it, and keeps that in the history of the installation. */
export async function setClosed(
  { db, query }: Pick<Session, 'db' | 'query'>,
  { id, name }: { id: string; name: string },
  isClosed: boolean,
): Promise<void> {
  const { closeProgram, openProgram } = await import('../../database/program-file/close.ts')
  const { recordInstallationChange } = await import('../../modules/history/installation.ts')
  await (isClosed ? closeProgram(query, id) : openProgram(query, id))
  const what = { action: isClosed ? 'program_closed' : 'program_opened', subjectId: id, subjectName: name } as const
  await recordInstallationChange(db, operatorOnCommandLine, what, new Date())
}

/** The tables that have rows, with their counts and checksums. */
export const digestLines = (digests: Record<string, { count: string; checksum: string }>): string[] =>
  Object.entries(digests)
    .filter(([, { count }]) => count !== '0')
    .map(([table, { count, checksum }]) => `  ${table}: ${count} rows, checksum ${checksum}`)
