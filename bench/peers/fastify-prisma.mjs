// fastify and Prisma. It runs with tsx, because it uses the product's generated client.
import { PrismaPg } from '@prisma/adapter-pg'
import fastify from 'fastify'
import { PrismaClient } from '../../src/generated/prisma/client.ts'
import { announce, keyHash, pagination, poolSize } from './http.mjs'

const adapter = new PrismaPg({
  connectionString: process.env.DATABASE_URL,
  max: poolSize,
  options: '-c TimeZone=UTC -c jit=off',
})
const db = new PrismaClient({ adapter })
const app = fastify()

/** @param {import('fastify').FastifyRequest} request @param {import('fastify').FastifyReply} reply */
async function authenticate(request, reply) {
  const secretHash = keyHash(request.headers.authorization) ?? ''
  const key = await db.apiKey.findFirst({ where: { secretHash, revokedAt: null }, include: { program: true } })
  if (!key) return reply.code(401).send({ error: 'Invalid API key.' })
  request.caller = key
}

app.decorateRequest('caller', null)
const authenticated = { onRequest: authenticate }
const include = { campaign: true, links: { orderBy: { id: 'desc' } }, coupon: true }

app.get('/v1/affiliates', authenticated, async ({ query, caller }) => {
  const limit = Number(query.limit ?? 25)
  const page = Number(query.page ?? 1)
  const where = { programId: caller.programId }
  const [rows, count] = await Promise.all([
    db.affiliate.findMany({ where, include, orderBy: { id: 'desc' }, take: limit, skip: (page - 1) * limit }),
    db.affiliate.count({ where }),
  ])
  return { pagination: pagination(page, limit, rows.length, count), data: rows.map(affiliate) }
})

app.get('/v1/affiliates/:id', authenticated, async ({ params, caller }, reply) => {
  const programId_id = { programId: caller.programId, id: params.id }
  const row = await db.affiliate.findUnique({ where: { programId_id }, include })
  return row ? affiliate(row) : reply.code(404).send({ error: 'Not found.' })
})

const cents = (amount) => (amount === null ? null : Number(amount))

const affiliate = (row) => ({
  id: row.id,
  object: 'affiliate',
  created_at: row.createdAt,
  updated_at: row.updatedAt,
  first_name: row.firstName,
  last_name: row.lastName,
  email: row.email,
  wallet_a_email: row.paypalEmail,
  wallet_b_email: row.wiseEmail,
  state: row.state,
  billing_customer_id: row.billingCustomerId,
  confirmed_at: row.confirmedAt,
  visitors: row.visitors,
  leads: row.leads,
  conversions: row.conversions,
  campaign: campaign(row.campaign),
  links: row.links.map((link) => ({
    id: link.id,
    object: 'affiliate_link',
    url: `${row.campaign.url}?via=${link.token}`,
    token: link.token,
    visitors: link.visitors,
    leads: link.leads,
    conversions: link.conversions,
    affiliate_id: row.id,
  })),
  coupon: row.coupon && {
    id: row.coupon.id,
    object: 'affiliate_coupon',
    token: row.coupon.token,
    affiliate_id: row.id,
  },
})

const campaign = (row) => ({
  id: row.id,
  object: 'campaign',
  created_at: row.createdAt,
  updated_at: row.updatedAt,
  name: row.name,
  url: row.url,
  private: row.private,
  reward_type: row.rewardType,
  commission_percent: row.commissionBasisPoints === null ? null : row.commissionBasisPoints / 100,
  commission_amount_cents: cents(row.commissionAmountCents),
  commission_currency: row.commissionCurrency,
  minimum_payout_cents: cents(row.minimumPayoutCents),
  days_before_referrals_expire: row.daysBeforeReferralsExpire,
  days_before_commissions_are_due: row.daysBeforeCommissionsAreDue,
  max_commissions: row.maxCommissions,
  max_commission_period_in_months: row.maxCommissionPeriodInMonths,
})

await app.listen({ port: 0, host: '127.0.0.1' })
announce(app.server)
