import type { ProgramCtx } from '../../../kernel/context.ts'
import type { Problem } from '../../../kernel/errors.ts'
import { excerpt } from '../../../kernel/text.ts'
import { groupKey } from './names.ts'

export type GroupColumn = { groupIds: string[]; problems: Problem[] }

/** The groups that the lines of a file name, divided by semicolons. */
export async function readGroupColumn(
  { db, program }: ProgramCtx,
  lines: readonly { fields: Readonly<Record<string, string>> }[],
): Promise<GroupColumn[]> {
  const named = lines.map(({ fields: { groups = '' } }) => groups.split(';').filter((name) => name.trim() !== ''))
  if (named.every((names) => names.length === 0)) return named.map(() => ({ groupIds: [], problems: [] }))
  const where = { programId: program.id }
  const groups = await db.affiliateGroup.findMany({ where, select: { id: true, nameKey: true } })
  const idsByKey = new Map(groups.map(({ id, nameKey }) => [nameKey, id]))
  return named.map((names) => ({
    groupIds: [...new Set(names.flatMap((name) => idsByKey.get(groupKey(name)) ?? []))],
    problems: names
      .filter((name) => !idsByKey.has(groupKey(name)))
      .map((name) => ({ field: 'groups', message: `Group not found: ${excerpt(name.trim())}. Create it first.` })),
  }))
}
