import { OperatorError } from '../../database/operator-error.ts'
import { fileKinds, type Header } from '../../database/program-file/format.ts'
import type { Inspected } from '../../database/program-file/inspect.ts'
import { findServer } from '../operate.ts'
import { type Decision, decideAccess, invitedByOperator, inviteMembers, revoked, type Trust } from './access.ts'
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

type ImportOptions = { file: string; keyFile?: string | undefined; closed: boolean; base?: boolean } & Partial<Trust>

export const importProgramFile = (options: ImportOptions): Promise<string> =>
  withStore(async (session) => {
    const { file, closed, base = false } = options
    const { importProgram } = await import('../../database/program-file/import.ts')
    const { recordInstallationChange } = await import('../../modules/history/installation.ts')
    const startedAt = performance.now()
    const { inspected, keys, access } = await inspect(session, options)
    const isChanges = inspected.header.file === fileKinds.changes
    const waits = base || inspected.header.next !== undefined
    const progress = showProgress()
    const { people, invited, ...rest } = await importOptions(session, inspected, {
      file,
      keys,
      access,
      waits,
      isClosed: closed || base || isChanges,
    })
    const imported = await (isChanges
      ? importChanges(session, { ...rest, onProgress: progress.show })
      : importProgram(session.query, { ...rest, isBase: base, onProgress: progress.show })
    ).finally(progress.end)
    const { id, slug, name } = imported.header.program
    const what = { action: 'program_imported', subjectId: id, subjectName: name } as const
    await recordInstallationChange(session.db, operatorOnCommandLine, what, new Date())
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
    const rows = `${imported.rows} rows, ${seconds} s`
    // Without statistics of the new rows, the doctor takes long. A failure to gather them does not matter.
    if (!isChanges) await session.query('analyze').catch(() => {})
    if (waits)
      return [
        `Imported ${base ? `the program ${slug} (${id}) as a base` : `changes of the program ${slug} (${id})`}: ${rows}. Counts, sums and checksums equal those of the file.`,
        ...(access === 'ended' ? ['Its API keys are revoked here.'] : []),
        `It is closed to writes, and waits for what changes at its source. There: export-program --program ${slug} --since ${file} --close --file CHANGES. Here: import-program --file CHANGES. Without --close, the source stays open, and the program here waits for more.`,
      ].join('\n')
    const findings = isChanges
      ? await openAndCheck(session, imported, { closed, rows })
      : await checkProgram(session.query, id)
    if (findings.length > 0) process.exitCode = 1
    const membership =
      access !== 'ended'
        ? [
            `Members with an account here: ${people.joined()}. Members to be invited: ${people.left.length}`,
            ...people.left.map(({ email, name: person, role }) => `  ${email} (${person}), ${role}`),
          ]
        : [
            `The file is foreign: its API keys are revoked here, and its ${invited.length} members are invited. Each link works once, within seven days:`,
            ...invited,
            'To keep the access as the file has it: delete the program, and import the file with --keep-access.',
          ]
    return [
      `Imported ${isChanges ? 'the changes of ' : ''}the program ${slug} (${id}): ${rows}. Counts, sums and checksums equal those of the file:`,
      ...digestLines(imported.digests),
      findings.length === 0
        ? 'Doctor: all invariants hold.'
        : [`Doctor: ${findings.length} rows violate an invariant:`, ...findings].join('\n'),
      ...membership,
      ...(closed ? [`The program is closed to writes. Open it with: open-program --program ${slug}`] : []),
    ].join('\n')
  })

/** The key of this installation, and the one that encrypts the secrets of the file. */
type Keys = { own: Buffer; ofFile: Buffer }

/** Reads and checks all of the file, before anything of it is imported. */
async function inspect(session: Session, { file, keyFile, base, keepAccess = false, yes = false }: ImportOptions) {
  const { inspectProgramFile } = await import('../../database/program-file/inspect.ts')
  const own = await keyOfInstallation(session)
  const given = keyFile === undefined ? undefined : await readFileKey(keyFile)
  const keys: Keys = { own, ofFile: given ?? own }
  const inspected = await inspectProgramFile(file, async (header: Header) => {
    if (header.file === fileKinds.changes && base)
      throw new OperatorError('The file has changes of a program. Only a file with all of it is imported with --base.')
    await checkHeader(session, header, keys.ofFile, given !== undefined)
  })
  const access = await decideAccess(session, inspected, own, { keepAccess, yes })
  return { inspected, keys, access }
}

type How = { file: string; keys: Keys; access: Decision; waits: boolean; isClosed: boolean }

async function importOptions(session: Session, inspected: Inspected, how: How) {
  const { file, keys, access, waits, isClosed } = how
  const { ofPeople } = await import('../../database/program-file/tables.ts')
  const { joinPeople } = await import('../../modules/program-files/people.ts')
  const { reencrypt } = await import('../../modules/program-files/secrets.ts')
  const { personAddress } = await import('../../modules/people/address.ts')
  const { db, config } = session
  const accounts = await db.person.findMany({ select: { id: true, email: true } })
  const idsByEmail = new Map(accounts.map(({ id, email }) => [email, id]))
  const people = joinPeople((email) => idsByEmail.get(personAddress(email)))
  const closedAt = isClosed ? new Date() : null
  const withState = (row: string) => JSON.stringify({ ...JSON.parse(row), closed_at: closedAt, base: null })
  const invited: string[] = []
  return {
    file,
    inspected,
    people,
    invited,
    role: db.sql.programRole,
    convert: (table: string) => {
      if (table === 'programs') return withState
      if (access === 'ended' && table === 'api_keys') return revoked
      if (access === 'ended' && ['members', 'invitations'].includes(table)) return () => null
      if (access === 'kept' && table === 'invitations') return invitedByOperator
      return ofPeople.includes(table) ? people.convert : reencrypt(keys.ofFile, keys.own, table)
    },
    finish: async (query: Session['query']) => {
      if (access !== 'ended' || waits) return
      const { id } = inspected.header.program
      const url = config.publicUrl ?? (await findServer(config))
      invited.push(...(await inviteMembers(query, id, inspected.access.members, url)))
    },
  }
}
