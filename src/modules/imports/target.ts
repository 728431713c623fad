import type { z } from 'zod'
import type { Import, Prisma, Program } from '../../generated/prisma/client.ts'
import type { Ctx } from '../../kernel/context.ts'
import { invalid, refused } from '../../kernel/errors.ts'
import { isId, ownCase } from '../../kernel/ids.ts'
import { parseInput, problem } from '../../kernel/input/parse.ts'
import { isStorable } from '../../kernel/text.ts'
import { importTargetInput } from './input.ts'

type Target = z.output<typeof importTargetInput>
type Found = Import & { program: Program }
type Db = Pick<Prisma.TransactionClient, 'import' | 'importedRecord'>

/** Finds the import that `startImport` would continue with these fields. Null if it would start one. */
export async function findImport({ db }: Pick<Ctx, 'db'>, raw: unknown): Promise<Found | null> {
  return chooseImport(db, await parseInput(importTargetInput, raw))
}

/**
 * Returns the import from this source that the target continues, or null. The programs of a server share its address,
 * so the key or a campaign must be the same too. A campaign is the same by its id, unless other programs can have that
 * id.
 * @throws REFUSED if the imports from this source are of other programs, or if several fit; INVALID_INPUT
 */
export async function chooseImport(db: Db, target: Target): Promise<Found | null> {
  const { source, programId, name, isNewProgram = false } = target
  if (isNewProgram && programId !== undefined)
    throw invalid([problem('isNewProgram', 'cannot be combined with a program to import into')])
  if (!isStorable(source) || (programId !== undefined && !isId(programId))) return null
  const found = await db.import.findMany({
    where: { source, ...(programId !== undefined && { programId }) },
    orderBy: { programId: 'asc' },
    include: { program: true },
  })
  const origins = await originsOf(db, target, found)
  const same = found.filter(({ programId: id }) => origins.get(id) === 'same')
  if (isNewProgram) return same.find(({ program }) => program.name === name) ?? null
  if (same.length > 1)
    throw refused(
      `This program was imported more than once: into ${namesOf(same)}. Give the program to import into, with --program.`,
    )
  if (same[0]) return same[0]
  const [unclear] = found.filter(({ programId: id }) => origins.get(id) === 'unclear')
  if (programId !== undefined && unclear) return unclear
  if (unclear)
    throw refused(
      `Another key was used for the earlier import from ${source} into ${namesOf([unclear])}. If it is the same program, give --program ${unclear.programId}. For a new program, give --name.`,
    )
  if (found.length > 0)
    throw refused(
      `The key belongs to another program of ${source} than the one that was imported into ${namesOf(found)}. Use the key of that program, or give --name to import into a new program.`,
    )
  return null
}

const namesOf = (found: readonly Found[]): string =>
  found
    .slice(0, 5)
    .map(({ program }) => `"${program.name}" (${program.id})`)
    .join(', ')

/** Whether an import is of the program that the source shows now. */
type Origin = 'same' | 'other' | 'unclear'

async function originsOf(
  db: Db,
  { keyHash, campaignIds = [] }: Target,
  found: readonly Import[],
): Promise<Map<string, Origin>> {
  const where = { programId: { in: found.map(({ programId }) => programId) }, kind: 'campaign' as const }
  const known = await db.importedRecord.findMany({ where, select: { programId: true, externalId: true } })
  const shown = new Set(campaignIds.map(ownCase))
  const originOf = ({ programId, keyHash: usedKeyHash }: Import): Origin => {
    if (keyHash === undefined && campaignIds.length === 0) return 'same'
    if (keyHash !== undefined && keyHash === usedKeyHash) return 'same'
    const ofProgram = known.filter((record) => record.programId === programId)
    const shared = ofProgram.filter(({ externalId }) => shown.has(ownCase(externalId)))
    if (shared.some(({ externalId }) => isUnique(externalId))) return 'same'
    return ofProgram.length > 0 && shared.length === 0 ? 'other' : 'unclear'
  }
  return new Map(found.map((one) => [one.programId, originOf(one)]))
}

/** Whether an id is a UUID. Ids such as "1" can be those of several programs. */
const isUnique = (id: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id)
