import { withServer } from '../../test/support/global-setup.ts'

/**
 * Compares the sales that a program has stored with those that were acknowledged.
 *
 * @param prefix of the external ids of these sales, if the program has others
 */
export async function compareSales(url: string, programId: string, acknowledged: Iterable<string>, prefix = '') {
  const rows = await withServer(
    url,
    async (client) =>
      (
        await client.query<{ external_id: string; sales: number; commissions: number }>(
          `select s.external_id, count(distinct s.id)::int as sales, count(c.id)::int as commissions
           from sales s left join commissions c on c.program_id = s.program_id and c.sale_id = s.id
           where s.program_id = $1 and starts_with(s.external_id, $2) group by 1`,
          [programId, prefix],
        )
      ).rows,
  )
  const stored = new Set(rows.map(({ external_id }) => external_id))
  return {
    stored,
    lost: [...acknowledged].filter((id) => !stored.has(id)),
    /** Stored more than once, or not with one commission. */
    doubled: rows.filter(({ sales, commissions }) => sales !== 1 || commissions !== 1),
  }
}
