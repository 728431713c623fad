import { areEqual, type Digest, digestOf } from '../move/digest.ts'
import type { Query } from '../tables.ts'
import { notCompared, type ProgramTable, readProgramTables } from './tables.ts'

/** @returns a sentence for each table whose rows of a program differ from what the source had */
export async function compareTables(
  query: Query,
  tables: readonly ProgramTable[],
  programId: string,
  digests: Record<string, Digest>,
): Promise<string[]> {
  const different: string[] = []
  for (const table of tables) {
    if (notCompared.includes(table.name)) continue
    const ours = await digestOf(query, table, { where: table.of(programId), without: table.own })
    const theirs = digests[table.name]
    if (!(theirs && areEqual(ours, theirs)))
      different.push(
        `The copy of ${table.name} differs: the file has ${theirs?.count ?? 0} rows with checksum ${theirs?.checksum}, the database ${ours.count} with ${ours.checksum}.`,
      )
  }
  return different
}

export const compareWhole = async (
  query: Query,
  programId: string,
  digests: Record<string, Digest>,
): Promise<string[]> => compareTables(query, await readProgramTables(query), programId, digests)
