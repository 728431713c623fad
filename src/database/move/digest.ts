import { conditionOf, isTransactionId, type Query, quoted, type Table } from './tables.ts'

/** What two equal tables have in common. Sums are those of the columns with amounts of money, in minor units. */
export type Digest = { count: string; checksum: string; sums: Record<string, string> | null }

/** @param upTo the key of the last row that counts; by default all rows count */
export async function digestOf(query: Query, table: Table, upTo?: readonly string[]): Promise<Digest> {
  const ignored = table.columns.filter(isTransactionId).map(({ name }) => `'${name}'`)
  const amounts = table.columns.filter(({ name }) => name.endsWith('_cents'))
  const sums = amounts.map(({ name }) => `'${name}', coalesce(sum(${quoted(name)}), 0)::text`)
  const [digest] = await query<Digest>(
    `select count(*)::text as count,
      coalesce(sum(('x' || left(md5((to_jsonb(t) - array[${ignored}]::text[])::text), 15))::bit(60)::bigint), 0)::text as checksum,
      json_build_object(${sums}) as sums
    from ${quoted(table.name)} t ${upTo ? `where ${conditionOf(table, '<=')}` : ''}`,
    upTo,
  )
  return digest as Digest
}

export const areEqual = (one: Digest, other: Digest): boolean => JSON.stringify(one) === JSON.stringify(other)
