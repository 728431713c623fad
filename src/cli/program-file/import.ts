import { OperatorError } from '../../database/operator-error.ts'
import type { Header } from '../../database/program-file/format.ts'
import { digestLines } from './export.ts'
import {
  keyOfInstallation,
  operatorOnCommandLine,
  readFileKey,
  type Session,
  showProgress,
  withStore,
} from './session.ts'

type ImportOptions = { file: string; keyFile?: string; closed: boolean }

/** @returns what was imported, for the operator */
export const importProgramFile = ({ file, keyFile, closed }: ImportOptions): Promise<string> =>
  withStore(async (session) => {
    const { db, query } = session
    const { importProgram } = await import('../../database/program-file/import.ts')
    const { ofPeople } = await import('../../database/program-file/tables.ts')
    const { joinPeople } = await import('../../modules/program-files/people.ts')
    const { reencrypt } = await import('../../modules/program-files/secrets.ts')
    const { examineProgram } = await import('../../modules/doctor/examine-program.ts')
    const { recordInstallationChange } = await import('../../modules/history/installation.ts')
    const own = await keyOfInstallation(session)
    const given = keyFile === undefined ? undefined : await readFileKey(keyFile)
    const accounts = await db.person.findMany({ select: { id: true, email: true } })
    const idsByEmail = new Map(accounts.map(({ id, email }) => [email, id]))
    const people = joinPeople((email) => idsByEmail.get(email))
    const closedAt = closed ? new Date() : null
    const withState = (row: string) => JSON.stringify({ ...JSON.parse(row), closed_at: closedAt })
    const startedAt = performance.now()
    const progress = showProgress()
    const { header, digests, rows } = await importProgram(query, {
      file,
      check: (header) => checkHeader(session, header, given ?? own, keyFile !== undefined),
      convert: (table) => {
        if (table === 'programs') return withState
        return ofPeople.includes(table) ? people.convert : reencrypt(given ?? own, own, table)
      },
      onProgress: progress.show,
    }).finally(progress.end)
    const { id, slug, name } = header.program
    const what = { action: 'program_imported', subjectId: id, subjectName: name } as const
    await recordInstallationChange(db, operatorOnCommandLine, what, new Date())
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
    // Without statistics of the new rows, the doctor takes long. That they are missing is no failure of the import.
    await query('analyze').catch(() => {})
    const findings = await examineProgram(query, id)
    if (findings.length > 0) process.exitCode = 1
    return [
      `Imported the program ${slug} (${id}): ${rows} rows, ${seconds} s. Counts, sums and checksums equal those of the file:`,
      ...digestLines(digests),
      findings.length === 0
        ? 'Doctor: all invariants hold.'
        : [`Doctor: ${findings.length} rows violate an invariant:`, ...findings].join('\n'),
      `Members with an account here: ${people.joined()}. Members to be invited: ${people.left.length}`,
      ...people.left.map(({ email, name: person, role }) => `  ${email} (${person}), ${role}`),
      ...(closed ? [`The program is closed to writes. Open it with: open-program --program ${slug}`] : []),
    ].join('\n')
  })

/** @throws OperatorError if the program of the file cannot be imported here; nothing was written yet */
async function checkHeader(
  { db }: Session,
  { schema, program, keyCheck, hasOwnKey }: Header,
  key: Buffer,
  isKeyGiven: boolean,
): Promise<void> {
  const { schemaVersion } = await import('../../database/program-file/open.ts')
  const { isKeyOf } = await import('../../modules/program-files/secrets.ts')
  if (schema !== schemaVersion())
    throw new OperatorError(
      `The file has the schema ${schema}, and this version has ${schemaVersion()}. ${
        schema < schemaVersion()
          ? 'Update the installation that exports, and export again.'
          : 'Update this installation first.'
      }`,
    )
  if (hasOwnKey && !isKeyGiven)
    throw new OperatorError('The secrets of the file are encrypted with a key of its own. Name it with --key-file.')
  if (!isKeyOf(key, keyCheck))
    throw new OperatorError(
      isKeyGiven
        ? hasOwnKey
          ? 'The key of --key-file is not that of the file. Name the file with the key that was given to the export.'
          : 'The file has no key of its own. Import it without --key-file.'
        : 'The secrets of the file are encrypted with another WEBHOOK_KEY. Export it with --key-file, and give the same file to the import.',
    )
  const { id, slug, publishableKeys } = program
  if (await db.program.findUnique({ where: { id } }))
    throw new OperatorError(
      `The program ${id} exists here. To replace it by that of the file, delete it first: delete-program --program ${id}`,
    )
  if (await db.program.findUnique({ where: { slug } }))
    throw new OperatorError(
      `Another program has the slug ${slug} here. Change that one first: update-program --program ${slug} --slug NEW`,
    )
  const taken = {
    OR: [{ publishableKey: { in: publishableKeys } }, { previousPublishableKey: { in: publishableKeys } }],
  }
  if (await db.program.findFirst({ where: taken }))
    throw new OperatorError('Another program has the same publishable key here. Rotate it: rotate-publishable-key')
}
