import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { OperatorError } from '../../database/operator-error.ts'
import { fileKinds } from '../../database/program-file/format.ts'
import {
  keyOfInstallation,
  operatorOnCommandLine,
  readFileKey,
  type Session,
  showProgress,
  withStore,
} from './session.ts'

type ExportOptions = {
  program: string
  file: string
  keyFile?: string
  close: boolean
  since?: string
  rangeRows?: number
}

export const exportProgram = ({
  program: idOrSlug,
  file,
  keyFile,
  close,
  since,
  rangeRows,
}: ExportOptions): Promise<string> =>
  withStore(async (session) => {
    const { db, query } = session
    if (await exists(file)) throw new OperatorError(`${file} exists. Name a new file.`)
    const { writeProgram } = await import('../../database/program-file/write.ts')
    const { writeChanges } = await import('../../database/program-file/write-changes.ts')
    const { schemaVersion } = await import('../../database/program-file/open.ts')
    const { keyCheckOf, reencrypt } = await import('../../modules/program-files/secrets.ts')
    const { findProgramByName } = await import('../../modules/programs/service.ts')
    const program = await findProgramByName({ db }, idOrSlug)
    const { id, slug, name, publishableKey, previousPublishableKey } = program
    if (program.base !== null)
      throw new OperatorError(`The program ${slug} waits for changes from its source, and cannot be exported before.`)
    const own = await keyOfInstallation(session)
    const key = keyFile === undefined ? own : await readFileKey(keyFile)
    // A large base takes minutes to read; the program is not closed meanwhile.
    const base = since === undefined ? undefined : await readBase(since, program, query)
    const isLast = close || program.closedAt !== null
    const startedAt = performance.now()
    if (close) await setClosed(session, program, true)
    const progress = showProgress()
    const options = {
      programId: id,
      file,
      key: own,
      header: {
        schema: schemaVersion(),
        exportedAt: new Date().toISOString(),
        program: {
          id,
          slug,
          name,
          publishableKeys: [publishableKey, previousPublishableKey].filter((one) => one !== null),
        },
        keyCheck: keyCheckOf(key),
        hasOwnKey: keyFile !== undefined,
      },
      convert: (table: string) => reencrypt(own, key, table),
      onProgress: progress.show,
      rangeRows,
    }
    const written = base ? writeChanges(query, { ...options, ...base, isLast }) : writeProgram(query, options)
    const { digests, rows, bytes } = await written.finally(progress.end).catch(async (error) => {
      // A program that has no file does not stay closed for it.
      if (close && program.closedAt === null) await setClosed(session, program, false)
      throw error
    })
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
    const what = base ? `what changed of the program ${slug} (${id}) since ${since}` : `the program ${slug} (${id})`
    return [
      `Exported ${what} to ${resolve(file)}: ${rows} rows of ${Object.keys(digests).length} tables, ${bytes} bytes, ${seconds} s.`,
      ...digestLines(digests),
      isLast
        ? `The program is closed to writes here. After the import: delete-program. To go back: open-program --program ${slug}`
        : `The program goes on here: what is written from now on is not in the file. To move the program, import the file${base ? '' : ' with --base'}, then export again with --since ${file} and --close.`,
      keyFile === undefined
        ? 'Its secrets are encrypted with WEBHOOK_KEY: the other installation needs the same. For another one, export with --key-file.'
        : `Its secrets are encrypted with the key in ${keyFile}, which the import needs.`,
    ].join('\n')
  })

/** The base in a file since which changes can be found. @throws OperatorError if changes since cannot be exported */
async function readBase(file: string, { id, slug }: { id: string; slug: string }, query: Session['query']) {
  const { readEnds } = await import('../../database/program-file/read-part.ts')
  const { checkBase } = await import('../../database/program-file/moment.ts')
  const { schemaVersion } = await import('../../database/program-file/open.ts')
  const { header, trailer } = await readEnds(file)
  const base = header.file === fileKinds.whole ? header.base : header.next
  if (!base || !trailer.end.buckets)
    throw new OperatorError(
      `${file} has the last changes of a program that was closed. Name the file that was imported before it.`,
    )
  if (header.program.id !== id)
    throw new OperatorError(`${file} is of the program ${header.program.slug}, not of ${slug}.`)
  if (header.schema !== schemaVersion())
    throw new OperatorError(
      `${file} has the schema ${header.schema}, and this version has ${schemaVersion()}. Export a new base, and import that one.`,
    )
  await checkBase(query, base)
  return { base, buckets: trailer.end.buckets }
}

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

export const digestLines = (digests: Record<string, { count: string; checksum: string }>): string[] =>
  Object.entries(digests)
    .filter(([, { count }]) => count !== '0')
    .map(([table, { count, checksum }]) => `  ${table}: ${count} rows, checksum ${checksum}`)
