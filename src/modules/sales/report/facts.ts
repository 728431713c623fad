import { statement } from '../../../database/client/sql.ts'
import type { Sql, SqlDatabase } from '../../../kernel/db.ts'
import { emailKey } from '../../../kernel/email.ts'
import { idSpellings } from '../../../kernel/imported-ids.ts'
import { findNamed } from '../../affiliates/agents/facts.ts'
import type { AgentClaim } from '../../affiliates/agents/read-claims.ts'
import { couponKey, isCouponCode } from '../../affiliates/coupons/code.ts'
import type { Membership } from '../../affiliates/groups/membership.ts'
import type {
  Bought,
  KnownSale,
  NamedByAgent,
  SaleAffiliate,
  SaleCampaign,
  SaleFacts,
  SaleReferral,
  Signals,
} from '../signals/sale-facts.ts'
import type { FactsQuery } from '../signals/signal.ts'
import { saleCampaign, saleFacts } from './facts-sql.ts'

/** Reads the facts in one statement, or two if the referral's id is unknown. Take locks before. */
export async function readSaleFacts(
  sql: Pick<SqlDatabase, 'textRows'>,
  sale: Signals & { programId: string; externalId: string | null; affiliateId?: string | null; occurredAt: Date },
): Promise<SaleFacts> {
  const { programId, externalId, occurredAt } = sale
  const query = {
    programId,
    externalId,
    referral: idSpellings(sale.referralId ?? ''),
    couponKeys: (sale.coupon ?? []).filter(isCouponCode).map(couponKey),
    emailKey: sale.email ? emailKey(sale.email) : null,
    affiliateId: sale.affiliateId ?? null,
    occurredAt,
  }
  const facts = await readBySignals(sql, query)
  const { affiliateAttribution: claims } = sale
  return claims?.length && facts.sale === null ? { ...facts, agent: await readByAgent(sql, query, claims) } : facts
}

async function readBySignals(sql: Pick<SqlDatabase, 'textRows'>, query: FactsQuery): Promise<SaleFacts> {
  const { ownId, given } = query.referral
  if (ownId === null) return await read(sql, query, given !== null)
  const facts = await read(sql, query, false)
  // An unknown id can be one of the server that a referral was imported from.
  return facts.sale === null && facts.named === null ? await read(sql, query, true) : facts
}

/** Whom agents name. It is read by itself, because a coupon can name somebody else. */
async function readByAgent(
  sql: Pick<SqlDatabase, 'textRows'>,
  query: FactsQuery,
  claims: readonly AgentClaim[],
): Promise<NamedByAgent | null> {
  const named = await findNamed(sql, query.programId, claims, query.occurredAt)
  if (!named) return null
  const { affiliateId, ...times } = named
  const alone = { ...query, referral: idSpellings(''), couponKeys: [], affiliateId }
  const { affiliate, campaign, ofAffiliate } = await read(sql, alone, false)
  return { affiliate, campaign, ofAffiliate, ...times }
}

async function read(
  sql: Pick<SqlDatabase, 'textRows'>,
  query: FactsQuery,
  searchesImported: boolean,
): Promise<SaleFacts> {
  const { statement, values } = saleFacts(query, searchesImported)
  const [row] = await sql.textRows(statement, values)
  return factsOf({ ...nothing, ...JSON.parse(row?.[0] as string) })
}

const saleByExternalId = statement<{ id: string; amountCents: string; currency: string }>(`
  with given as (select external_id from jsonb_array_elements_text($2::jsonb) as given (external_id))
  select id, amount_cents::text as "amountCents", currency from sales where program_id = $1::uuid and id = coalesce(
    (select id from sales where program_id = $1::uuid and external_id in (select external_id from given) limit 1),
    (select sale_id from sale_aliases where program_id = $1::uuid and external_id in (select external_id from given) limit 1))`)

/** The sale that was recorded with one of the external ids, or with another id of the same payment; or null. */
export async function findKnownSale(
  sql: Sql,
  programId: string,
  ...externalIds: readonly string[]
): Promise<KnownSale | null> {
  const [sale] = await sql.query(saleByExternalId, [programId, JSON.stringify(externalIds)])
  return sale ? { ...sale, amountCents: BigInt(sale.amountCents) } : null
}

export async function readSaleCampaign(sql: Sql, programId: string, id: string): Promise<SaleCampaign> {
  const rows = await sql.query(saleCampaign, [programId, id])
  return campaignOf(rows[0]?.campaign as Json<SaleCampaign>)
}

/** As PostgreSQL returns the facts: times and 64-bit integers are text, and referrals are named by their ids. */
type Json<T> = {
  [K in keyof T]: T[K] extends Date | bigint
    ? string
    : T[K] extends Date | null
      ? string | null
      : T[K] extends bigint | null
        ? string | null
        : T[K]
}
type AffiliateRow = Json<Omit<SaleAffiliate, 'memberships'>> & { memberships: Json<Membership>[] | null }
type ReferralRow = Json<Omit<SaleReferral, 'affiliate' | 'campaign' | 'history' | 'bought'>> & {
  affiliate: AffiliateRow
  campaign: Json<SaleCampaign>
  history: Json<SaleReferral['history']>
  bought: Json<Bought>
}
type Row = Pick<SaleFacts, 'customer' | 'hasWaitingRefunds' | 'hasLeads' | 'hasActiveLeads'> & {
  sale: Json<KnownSale> | null
  bought: Json<Bought> | null
  kept: { occurredAt: string | null } | null
  affiliate: AffiliateRow | null
  coupon: Json<NonNullable<SaleFacts['coupon']>> | null
  campaign: Json<SaleCampaign> | null
  named: string | null
  ofAffiliate: string | null
  ofCustomer: string | null
  referrals: ReferralRow[] | null
}

/** What a statement did not look for. */
const nothing: Omit<Row, 'sale' | 'hasWaitingRefunds' | 'kept'> = {
  customer: null,
  bought: null,
  coupon: null,
  affiliate: null,
  campaign: null,
  named: null,
  ofAffiliate: null,
  ofCustomer: null,
  hasLeads: false,
  hasActiveLeads: false,
  referrals: null,
}

function factsOf(row: Row): SaleFacts {
  const referrals = new Map(row.referrals?.map((referral) => [referral.id, referralOf(referral)]))
  const find = (id: string | null) => (id === null ? null : (referrals.get(id) ?? null))
  return {
    ...row,
    sale: row.sale && { ...row.sale, amountCents: BigInt(row.sale.amountCents) },
    bought: boughtOf(row.bought),
    kept: row.kept && { occurredAt: toDate(row.kept.occurredAt) },
    affiliate: row.affiliate && affiliateOf(row.affiliate),
    coupon: row.coupon && { ...row.coupon, archivedAt: toDate(row.coupon.archivedAt) },
    campaign: row.campaign && campaignOf(row.campaign),
    agent: null,
    named: find(row.named),
    ofAffiliate: find(row.ofAffiliate),
    ofCustomer: find(row.ofCustomer),
  }
}

const boughtOf = (row: Json<Bought> | null): Bought => ({
  firstAt: toDate(row?.firstAt ?? null),
  lastAt: toDate(row?.lastAt ?? null),
})

const toDate = (text: string | null) => (text === null ? null : new Date(text))

const campaignOf = (row: Json<SaleCampaign>): SaleCampaign => ({
  ...row,
  commissionAmountCents: row.commissionAmountCents === null ? null : BigInt(row.commissionAmountCents),
  archivedAt: toDate(row.archivedAt),
  updatedAt: new Date(row.updatedAt),
})

const affiliateOf = (row: AffiliateRow): SaleAffiliate => ({
  ...row,
  updatedAt: new Date(row.updatedAt),
  termsRequiredFrom: toDate(row.termsRequiredFrom),
  memberships: (row.memberships ?? []).map(({ groupId, fromAt, untilAt }) => ({
    groupId,
    fromAt: new Date(fromAt),
    untilAt: toDate(untilAt),
  })),
})

const referralOf = (row: ReferralRow): SaleReferral => ({
  ...row,
  becameLeadAt: toDate(row.becameLeadAt),
  becameConversionAt: toDate(row.becameConversionAt),
  expiresAt: new Date(row.expiresAt),
  endedAt: toDate(row.endedAt),
  createdAt: new Date(row.createdAt),
  affiliate: affiliateOf(row.affiliate),
  campaign: campaignOf(row.campaign),
  history: {
    ...row.history,
    firstOccurredAt: toDate(row.history.firstOccurredAt),
    voidedAt: toDate(row.history.voidedAt),
  },
  bought: boughtOf(row.bought),
})
