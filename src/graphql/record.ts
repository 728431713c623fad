import type {
  Affiliate,
  AffiliateCoupon,
  AffiliateGroup,
  AffiliateLink,
  Campaign,
  Customer,
  Event,
  Payout,
  PayoutRun,
  Sale,
} from '../generated/prisma/client.ts'
import { isId } from '../kernel/ids.ts'
import { batchedOnce } from './batch.ts'
import { type GraphQLContext, programScope } from './context.ts'

export type Records = {
  affiliate: Affiliate
  affiliateCoupon: AffiliateCoupon
  affiliateGroup: AffiliateGroup
  affiliateLink: AffiliateLink
  campaign: Campaign
  customer: Customer
  event: Event
  payout: Payout
  payoutRun: PayoutRun
  sale: Sale
}

type Model = keyof Records

/** Loads a record of the program for a field beside its id, all of a request together. Null if it is gone. */
export async function recordOf<M extends Model>(
  ctx: GraphQLContext,
  model: M,
  id: string | null | undefined,
): Promise<Records[M] | null> {
  if (!id || !isId(id)) return null
  return batchedOnce(ctx, `records of ${model}`, id, async (ids) => {
    const { db, program } = programScope(ctx)
    // The models have the same query, which TypeScript does not see.
    const rows = await db[model as 'affiliate'].findMany({ where: { programId: program.id, id: { in: [...ids] } } })
    const byId = new Map(rows.map((row) => [row.id, row as Records[Model]]))
    return ids.map((one) => (byId.get(one) as Records[M] | undefined) ?? null)
  })
}

/** The same for a list of ids. Those that are gone are left out. */
export async function recordsOf<M extends Model>(
  ctx: GraphQLContext,
  model: M,
  ids: readonly string[],
): Promise<Records[M][]> {
  const rows = await Promise.all(ids.map((id) => recordOf(ctx, model, id)))
  return rows.flatMap((row) => row ?? [])
}
