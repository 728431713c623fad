import type { Prisma } from '../../generated/prisma/client.ts'

/** A shorter name would be found in many words. */
const shortestName = 3

/**
 * Removes the texts of a person from statements, with their salts. What is signed has only hashes, so statements still
 * verify. @param affiliateId whose own statements lose all texts; in others, texts that mention the person go
 */
export async function eraseStatements(
  tx: Prisma.TransactionClient,
  programId: string,
  affiliateId: string | null,
  mentioned: { addresses: readonly string[]; names: readonly string[] },
): Promise<void> {
  if (affiliateId !== null)
    await tx.statement.updateMany({ where: { programId, affiliateId }, data: { disclosed: {} } })
  const words = [...mentioned.addresses, ...mentioned.names]
    .map((text) => text.toLowerCase())
    .filter((text) => text.length >= shortestName)
  if (words.length === 0) return
  // Another affiliate can have the same name: only reasons are looked at.
  await tx.$executeRaw`
    update statements s set disclosed = (
      select coalesce(jsonb_object_agg(d.key, d.value), '{}') from jsonb_each(s.disclosed) d
      where d.key not like 'lines.%'
        or not exists (select from unnest(${words}::text[]) word where position(word in lower(d.value ->> 'text')) > 0))
    where s.program_id = ${programId}::uuid and exists (
      select from jsonb_each(s.disclosed) d, unnest(${words}::text[]) word
      where d.key like 'lines.%' and position(word in lower(d.value ->> 'text')) > 0)`
}
