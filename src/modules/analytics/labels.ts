import type { Affiliate, AffiliateCoupon, AffiliateLink, Campaign } from '../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import type { Dimension } from './facts.ts'

/** A value of a dimension: a row with its label, or a currency. */
export type DimensionValue = {
  id: string | null
  label: string
  affiliate?: Affiliate
  campaign?: Campaign
  link?: AffiliateLink
  coupon?: AffiliateCoupon
}

/** Reads the values of keys. A row that is gone is labelled by its key. */
export async function readDimensionValues(
  ctx: ProgramCtx,
  dimension: Dimension,
  keys: readonly (string | null)[],
): Promise<(key: string | null) => DimensionValue> {
  const values = await readByKey(
    ctx,
    dimension,
    keys.filter((key) => key !== null),
  )
  return (key) => values.get(key ?? '') ?? { id: key, label: key ?? '' }
}

async function readByKey(
  { db, program }: ProgramCtx,
  dimension: Dimension,
  keys: readonly string[],
): Promise<Map<string, DimensionValue>> {
  const query = { where: { programId: program.id, id: { in: [...keys] } } }
  switch (dimension) {
    case 'affiliate':
      return byId(await db.affiliate.findMany(query), (affiliate) => ({ label: nameOf(affiliate), affiliate }))
    case 'campaign':
      return byId(await db.campaign.findMany(query), (campaign) => ({ label: campaign.name, campaign }))
    case 'source':
      return byId(await db.affiliateLink.findMany(query), (link) => ({ label: link.token, link }))
    case 'coupon':
      return byId(await db.affiliateCoupon.findMany(query), (coupon) => ({ label: coupon.token, coupon }))
    case 'currency':
      return new Map(keys.map((key) => [key, { id: null, label: key }]))
  }
}

const byId = <T extends { id: string }>(
  rows: T[],
  name: (row: T) => Omit<DimensionValue, 'id'>,
): Map<string, DimensionValue> => new Map(rows.map((row) => [row.id, { id: row.id, ...name(row) }]))

const nameOf = ({ firstName, lastName, email }: Affiliate) => [firstName, lastName].filter(Boolean).join(' ') || email
