import type { Prisma } from '../../generated/prisma/client.ts'

/** The affiliates of these whose payouts wait for a tax profile. See `lacks_tax_profile` in prisma/sql/payable.sql. */
export async function affiliatesWithoutProfile(
  tx: Prisma.TransactionClient,
  programId: string,
  of: readonly { affiliateId: string }[],
  at: Date,
): Promise<ReadonlySet<string>> {
  const ids = [...new Set(of.map(({ affiliateId }) => affiliateId))]
  if (ids.length === 0) return new Set()
  const rows = await tx.$queryRaw<{ id: string }[]>`
    select id::text from unnest(${ids}::uuid[]) id where lacks_tax_profile(${programId}::uuid, id, ${at}::timestamptz)`
  return new Set(rows.map(({ id }) => id))
}
