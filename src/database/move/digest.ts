import { conditionOf, isTransactionId, type Query, quoted, type Table } from '../tables.ts'

/** What two equal tables have in common. Sums are those of the columns with amounts of money, in minor units. */
export type Digest = { count: string; checksum: string; sums: Record<string, string> | null }

/** Which rows and columns of a table count; by default all of them. `where` is a condition in SQL. */
type Part = { upTo?: readonly string[]; where?: string; without?: readonly string[] }

/** Numbers of transactions do not count, because they are of their own database. */
export async function digestOf(query: Query, table: Table, { upTo, where, without }: Part = {}): Promise<Digest> {
  const conditions = [where, upTo && conditionOf(table, '<=')].filter(Boolean)
  const sums = amountsOf(table).map((name) => `'${name}', coalesce(sum(${quoted(name)}), 0)::text`)
  const [digest] = await query<Digest>(
    `select count(*)::text as count, coalesce(sum(${hashOfRow(table, without)}), 0)::text as checksum,
      json_build_object(${sums}) as sums
    from ${quoted(table.name)} t ${conditions.length > 0 ? `where ${conditions.join(' and ')}` : ''}`,
    upTo,
  )
  return digest as Digest
}

const amountsOf = ({ columns }: Table): string[] =>
  columns.filter(({ name }) => name.endsWith('_cents')).map(({ name }) => name)

/** The number that a row `t` adds to the checksum, in SQL. */
function hashOfRow({ columns }: Table, without: readonly string[] = []): string {
  const ignored = [...columns.filter(isTransactionId).map(({ name }) => name), ...without].map((name) => `'${name}'`)
  return `('x' || left(md5((to_jsonb(t) - array[${ignored}]::text[])::text), 15))::bit(60)::bigint`
}

/** What a row `t` adds to the digest, in SQL: texts, for `addUp`. */
export const partsOfDigest = (table: Table, without?: readonly string[]): string =>
  `json_build_array(${[hashOfRow(table, without), ...amountsOf(table).map(quoted)].map((part) => `(${part})::text`).join(', ')})`

/** Adds up what rows of a table add to its digest, in the order of their reading or any other. */
export function addUp(table: Table) {
  const amounts = amountsOf(table)
  const sums = amounts.map(() => 0n)
  let [count, checksum] = [0, 0n]
  return {
    add([hash, ...values]: readonly (string | null)[]): void {
      count += 1
      checksum += BigInt(hash as string)
      values.forEach((value, n) => {
        sums[n] = (sums[n] as bigint) + BigInt(value ?? 0)
      })
    },
    digest: (): Digest => ({
      count: String(count),
      checksum: String(checksum),
      sums: Object.fromEntries(amounts.map((name, n) => [name, String(sums[n])])),
    }),
  }
}

/** The digest of rows of which each is in one of the given digests; with a sign of -1, a digest is taken away. */
export function combine(digests: readonly { digest: Digest; sign?: 1 | -1 }[]): Digest {
  let [count, checksum] = [0n, 0n]
  const sums: Record<string, bigint> = {}
  for (const { digest, sign = 1 } of digests) {
    count += BigInt(sign) * BigInt(digest.count)
    checksum += BigInt(sign) * BigInt(digest.checksum)
    for (const [name, sum] of Object.entries(digest.sums ?? {}))
      sums[name] = (sums[name] ?? 0n) + BigInt(sign) * BigInt(sum)
  }
  const asText = Object.entries(sums).map(([name, sum]) => [name, String(sum)])
  return { count: String(count), checksum: String(checksum), sums: Object.fromEntries(asText) }
}

export const areEqual = (one: Digest, other: Digest): boolean => JSON.stringify(one) === JSON.stringify(other)

export const emptyDigest = (table: Table): Digest => addUp(table).digest()
