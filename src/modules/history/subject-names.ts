import { Prisma } from '../../generated/prisma/client.ts'
import type { Ctx } from '../../kernel/context.ts'
import type { HistorySubject } from './service.ts'

/** Where the present names of subjects are. Other subjects have no name. */
const names: Partial<Record<HistorySubject, { table: string; name: string }>> = {
  affiliate: { table: 'affiliates', name: `coalesce(nullif(concat_ws(' ', first_name, last_name), ''), email)` },
  campaign: { table: 'campaigns', name: 'name' },
  customer: { table: 'customers', name: 'coalesce(name, email)' },
  api_key: { table: 'api_keys', name: 'name' },
  webhook_endpoint: { table: 'webhook_endpoints', name: 'coalesce(description, url)' },
}

/** The present names of subjects of one kind, in the order of their ids. Null for what was deleted. Runs one statement. */
export async function namesOf(
  { db }: Pick<Ctx, 'db'>,
  programId: string,
  subject: HistorySubject,
  ids: readonly string[],
): Promise<(string | null)[]> {
  const source = names[subject]
  if (!source) return ids.map(() => null)
  const rows = await db.$queryRaw<{ id: string; name: string | null }[]>`
    select id, ${Prisma.raw(source.name)} as name from ${Prisma.raw(source.table)}
    where program_id = ${programId}::uuid and id = any (${[...ids]}::uuid[])`
  const known = new Map(rows.map(({ id, name }) => [id, name]))
  return ids.map((id) => known.get(id) ?? null)
}
