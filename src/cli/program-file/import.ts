import { OperatorError } from '../../database/operator-error.ts'
import { fileKinds, type Header } from '../../database/program-file/format.ts'
import { checkHeader } from './check.ts'
import { digestLines } from './export.ts'
import { checkProgram, importChanges, openAndCheck } from './import-changes.ts'
import {
  keyOfInstallation,
  operatorOnCommandLine,
  readFileKey,
  type Session,
  showProgress,
  withStore,
} from './session.ts'

type ImportOptions = { file: string; keyFile?: string | undefined; closed: boolean; base?: boolean }

/** @returns what was imported, for the operator */
export const importProgramFile = ({ file, keyFile, closed, base = false }: ImportOptions): Promise<string> =>
  withStore(async (session) => {
    const { importProgram } = await import('../../database/program-file/import.ts')
    const { readHeader } = await import('../../database/program-file/read.ts')
    const { recordInstallationChange } = await import('../../modules/history/installation.ts')
    const isChanges = (await readHeader(file)).file === fileKinds.changes
    if (isChanges && base)
      throw new OperatorError('The file has changes of a program. Only a file with all of it is imported with --base.')
    const startedAt = performance.now()
    const progress = showProgress()
    const { people, ...options } = await importOptions(session, { file, keyFile, closed: closed || base || isChanges })
    const imported = await (isChanges
      ? importChanges(session, { ...options, onProgress: progress.show })
      : importProgram(session.query, { ...options, isBase: base, onProgress: progress.show })
    ).finally(progress.end)
    const { id, slug, name } = imported.header.program
    const what = { action: 'program_imported', subjectId: id, subjectName: name } as const
    await recordInstallationChange(session.db, operatorOnCommandLine, what, new Date())
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
    const rows = `${imported.rows} rows, ${seconds} s`
    // Without statistics of the new rows, the doctor takes long. That they are missing is no failure of the import.
    if (!isChanges) await session.query('analyze').catch(() => {})
    if (base || imported.header.next)
      return [
        `Imported ${base ? `the program ${slug} (${id}) as a base` : `changes of the program ${slug} (${id})`}: ${rows}. Counts, sums and checksums equal those of the file.`,
        `It is closed to writes, and waits for what changes at its source. There: export-program --program ${slug} --since ${file} --close --file CHANGES. Here: import-program --file CHANGES. Without --close, the source stays open, and the program here waits for more.`,
      ].join('\n')
    const findings = isChanges
      ? await openAndCheck(session, imported, { closed, rows })
      : await checkProgram(session.query, id)
    if (findings.length > 0) process.exitCode = 1
    return [
      `Imported ${isChanges ? 'the changes of ' : ''}the program ${slug} (${id}): ${rows}. Counts, sums and checksums equal those of the file:`,
      ...digestLines(imported.digests),
      findings.length === 0
        ? 'Doctor: all invariants hold.'
        : [`Doctor: ${findings.length} rows violate an invariant:`, ...findings].join('\n'),
      `Members with an account here: ${people.joined()}. Members to be invited: ${people.left.length}`,
      ...people.left.map(({ email, name: person, role }) => `  ${email} (${person}), ${role}`),
      ...(closed ? [`The program is closed to writes. Open it with: open-program --program ${slug}`] : []),
    ].join('\n')
  })

/** How the rows of a file become those of this installation. */
async function importOptions(session: Session, { file, keyFile, closed }: Omit<ImportOptions, 'base'>) {
  const { ofPeople } = await import('../../database/program-file/tables.ts')
  const { joinPeople } = await import('../../modules/program-files/people.ts')
  const { reencrypt } = await import('../../modules/program-files/secrets.ts')
  const own = await keyOfInstallation(session)
  const given = keyFile === undefined ? undefined : await readFileKey(keyFile)
  const accounts = await session.db.person.findMany({ select: { id: true, email: true } })
  const idsByEmail = new Map(accounts.map(({ id, email }) => [email, id]))
  const people = joinPeople((email) => idsByEmail.get(email))
  const closedAt = closed ? new Date() : null
  const withState = (row: string) => JSON.stringify({ ...JSON.parse(row), closed_at: closedAt, base: null })
  return {
    file,
    people,
    check: (header: Header) => checkHeader(session, header, given ?? own, keyFile !== undefined),
    convert: (table: string) => {
      if (table === 'programs') return withState
      return ofPeople.includes(table) ? people.convert : reencrypt(given ?? own, own, table)
    },
  }
}
