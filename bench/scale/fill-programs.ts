import type pg from 'pg'
import { hashSecret, mintSecret } from '../../src/modules/access/api-keys/secret.ts'

/**
 * Copies a program with all of its rows into others, which differ in their ids, addresses and API keys.
 *
 * @returns the secrets of their keys
 */
export async function copyProgram(client: pg.Client, programId: string, copies: number): Promise<string[]> {
  const secrets = Array.from({ length: copies }, mintSecret)
  const { rows: columns } = await client.query<{ table: string; columns: string[] }>(`
    select c.relname::text as "table", array_agg(a.attname::text) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
      and (c.relname = 'programs' or exists (select from pg_attribute p where p.attrelid = c.oid and p.attname = 'program_id'))
    group by 1`)
  await client.query('set session_replication_role = replica')
  await client.query(
    `create temp table made as select gen_random_uuid() as made_id, n, hash
      from jsonb_array_elements_text($1::jsonb) with ordinality as hashes(hash, n)`,
    [JSON.stringify(secrets.map(hashSecret))],
  )
  const values: Record<string, string> = {
    program_id: 'made_id',
    secret_hash: 'hash',
    slug: `slug || '-copy-' || n`,
    publishable_key: `left(publishable_key, -7) || lpad(n::text, 7, '0')`,
  }
  for (const { table, columns: names } of columns) {
    const key = table === 'programs' ? 'id' : 'program_id'
    const selected = names.map((name) => (name === key ? 'made_id' : (values[name] ?? `"${name}"`)))
    await client.query(
      `insert into "${table}" (${names.map((name) => `"${name}"`).join(', ')})
        select ${selected.join(', ')} from "${table}" cross join made where "${key}" = $1`,
      [programId],
    )
  }
  await client.query('drop table made; set session_replication_role = origin')
  await client.query('vacuum analyze')
  return secrets
}
