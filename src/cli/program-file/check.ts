import { OperatorError } from '../../database/operator-error.ts'
import { type Base, fileKinds, type Header } from '../../database/program-file/format.ts'
import type { NotedBase } from '../../database/program-file/import.ts'
import type { Session } from './session.ts'

/** @throws OperatorError if the program of the file cannot be imported here; nothing was written yet */
export async function checkHeader(
  { db }: Session,
  { file, schema, program, base, keyCheck, hasOwnKey }: Header,
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
  const taken = {
    id: { not: id },
    OR: [{ publishableKey: { in: publishableKeys } }, { previousPublishableKey: { in: publishableKeys } }],
  }
  if (await db.program.findFirst({ where: taken }))
    throw new OperatorError('Another program has the same publishable key here. Rotate it: rotate-publishable-key')
  if (file === fileKinds.changes) {
    checkNoted(await db.program.findUnique({ where: { id } }), base)
    return
  }
  const known = await db.program.findUnique({ where: { id } })
  if (known?.deletedAt)
    throw new OperatorError(`The program ${id} is still being deleted here. Import the file again in some minutes.`)
  if (known)
    throw new OperatorError(
      `The program ${id} exists here. To replace it by that of the file, delete it first: delete-program --program ${id}`,
    )
  if (await db.program.findUnique({ where: { slug } }))
    throw new OperatorError(
      `Another program has the slug ${slug} here. Change that one first: update-program --program ${slug} --slug NEW`,
    )
}

/** @throws OperatorError if the program does not wait for the changes since a base */
function checkNoted(program: { slug: string; base: unknown; closedAt: Date | null } | null, base: Base): void {
  if (!program)
    throw new OperatorError(
      'The file has what changed since a base, which is not here. Import that one before: import-program --file BASE --base',
    )
  const noted = program.base as NotedBase | null
  if (!noted)
    throw new OperatorError(
      `The program ${program.slug} does not wait for changes here: they were imported already, or the program was imported without --base. ${
        program.closedAt ? `It is closed; to open it: open-program --program ${program.slug}` : 'It is open.'
      }`,
    )
  if (noted.id !== base.id)
    throw new OperatorError(
      `The program ${program.slug} waits for the changes since another file. Export them with --since and the file that was imported here last, or begin again: delete-program --program ${program.slug}`,
    )
}
