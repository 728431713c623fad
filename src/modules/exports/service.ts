import {
  type Affiliate,
  type Commission,
  type Payout,
  Prisma,
  type Referral,
  type Sale,
} from '../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import { emailKey } from '../../kernel/email.ts'
import { parseInput } from '../../kernel/input/parse.ts'
import { carries, updatedBetween } from '../../listing/page.ts'
import { affiliatesWhere } from '../affiliates/listing.ts'
import { listAffiliateFields } from '../affiliates/own-fields/definitions.ts'
import type { Definition, OwnFields } from '../affiliates/own-fields/values.ts'
import { commissionsWhere } from '../commissions/listing.ts'
import { commissionState } from '../commissions/state.ts'
import { payoutsWhere } from '../payouts/listing.ts'
import { collectDueCommissions } from '../payouts/service.ts'
import { payoutState } from '../payouts/state.ts'
import { referralsWhere } from '../referrals/listing.ts'
import { conversionState } from '../referrals/progress.ts'
import { outcomeOf } from '../sales/explanations/explain.ts'
import { saleSourceOf } from '../sales/source.ts'
import { type BatchOptions, readBatch } from './batch.ts'
import { affiliateLines, commissionLines, payoutLines, referralLines, saleLines } from './columns.ts'
import {
  exportAffiliatesInput,
  exportCommissionsInput,
  exportPayoutsInput,
  exportReferralsInput,
  exportSalesInput,
} from './input.ts'

// Each function reads the next batch of one resource: as flat rows, or as lines of a file. @throws INVALID_INPUT

const ofAffiliate = {
  links: { select: { token: true }, orderBy: { id: 'asc' } },
  coupon: { select: { token: true } },
  coupons: { select: { token: true }, where: { archivedAt: null }, orderBy: { id: 'asc' } },
} as const

type AffiliateWithTokens = Affiliate & {
  links: { token: string }[]
  coupon: { token: string } | null
  coupons: { token: string }[]
}

/** A field that was deleted since the file was begun has no values, and keeps its column. */
function definedAs(name: string, defined: readonly Definition[]): Definition[] {
  const found = defined.find((field) => field.name === name)
  if (found) return [found]
  return /^[a-z][a-z0-9_]*$/.test(name) ? [{ name, type: 'text', choices: [] }] : []
}

export async function exportAffiliates(ctx: ProgramCtx, raw: unknown, options: BatchOptions) {
  const { columns } = options
  const defined = await listAffiliateFields(ctx.db, ctx)
  const { currency = ctx.program.currency } = await parseInput(exportAffiliatesInput, raw)
  const own = columns ? columns.flatMap((name) => definedAs(name, defined)) : defined
  return readBatch(ctx, raw, options, {
    noun: 'Affiliate',
    schema: exportAffiliatesInput,
    query: (input, { where, ...window }) =>
      ({
        where: { ...affiliatesWhere(ctx, input), ...where },
        include: ofAffiliate,
        ...window,
      }) satisfies Prisma.AffiliateFindManyArgs,
    complete: (rows) => withMoney(ctx, rows, currency),
    toRow: ({ links, coupon, coupons, ...affiliate }: AffiliateWithTokens) => ({
      ...affiliate,
      linkTokens: links.map(({ token }) => token),
      couponToken: coupon?.token ?? null,
      couponTokens: coupons.length > 0 ? coupons.map(({ token }) => token).join(';') : null,
    }),
    lines: affiliateLines(own, currency),
    own: {
      columns: own.map(({ name }) => name),
      valuesOf: ({ ownFields }) =>
        Object.fromEntries(own.map(({ name }) => [name, (ownFields as OwnFields)[name] ?? null])),
    },
  })
}

/** What affiliates have earned in a currency, with the part that is paid. Void commissions do not count. */
async function withMoney<Row extends { id: string }>({ db, program }: ProgramCtx, rows: Row[], currency: string) {
  const affiliateId = { in: rows.map(({ id }) => id) }
  const sumsOf = async (where: Prisma.CommissionWhereInput) => {
    const sums = await db.commission.groupBy({
      by: 'affiliateId',
      where: { programId: program.id, affiliateId, currency, voidedAt: null, ...where },
      _sum: { amountCents: true },
    })
    return new Map(sums.map((sum) => [sum.affiliateId, sum._sum.amountCents ?? 0n]))
  }
  const [earned, paid] = [await sumsOf({}), await sumsOf({ paidAt: { not: null } })]
  return rows.map((row) => {
    const [earnedCents, paidCents] = [earned.get(row.id) ?? 0n, paid.get(row.id) ?? 0n]
    return { ...row, currency, earnedCents, owedCents: earnedCents - paidCents, paidCents }
  })
}

export const exportReferrals = (ctx: ProgramCtx, raw: unknown, options: BatchOptions) =>
  readBatch(ctx, raw, options, {
    noun: 'Referral',
    schema: exportReferralsInput,
    query: (input, { where, ...window }) =>
      ({ where: { ...referralsWhere(ctx, input), ...where }, ...window }) satisfies Prisma.ReferralFindManyArgs,
    toRow: (referral: Referral) => ({ ...referral, conversionState: conversionState(referral) }),
    lines: referralLines,
  })

/** All columns but `decision`, which is large and not exported. */
const ofSale = {
  ...Object.fromEntries(Object.keys(Prisma.SaleScalarFieldEnum).map((name) => [name, name !== 'decision'])),
  customer: { select: { email: true } },
  affiliate: { select: { email: true } },
  campaign: { select: { name: true } },
  referral: { select: { agentProvider: true } },
  commissions: { select: { amountCents: true, currency: true, refundId: true, voidedAt: true, heldReason: true } },
} as const

export const exportSales = (ctx: ProgramCtx, raw: unknown, options: BatchOptions) =>
  readBatch(ctx, raw, options, {
    noun: 'Sale',
    schema: exportSalesInput,
    query: (input, { where, ...window }) =>
      ({
        where: {
          programId: ctx.program.id,
          ...updatedBetween(input),
          ...((input.occurredSince || input.occurredUntil) && {
            occurredAt: { gte: input.occurredSince, lt: input.occurredUntil },
          }),
          affiliateId: carries(input.affiliateId),
          campaignId: carries(input.campaignId),
          currency: input.currency,
          externalId: input.externalId,
          ...(input.email && { customer: { emailKey: emailKey(input.email) } }),
          ...where,
        },
        select: ofSale,
        ...window,
      }) satisfies Prisma.SaleFindManyArgs,
    toRow: saleRow,
    lines: saleLines,
  })

type SaleWithCommissions = Omit<Sale, 'decision'> & {
  customer: { email: string } | null
  affiliate: { email: string }
  campaign: { name: string }
  referral: Pick<Referral, 'agentProvider'>
  commissions: Pick<Commission, 'amountCents' | 'currency' | 'refundId' | 'voidedAt' | 'heldReason'>[]
}

/** Adds fields to the row in place, because copying each of a million rows takes noticeable time. */
function saleRow(sale: SaleWithCommissions) {
  const { customer, affiliate, campaign, commissions } = sale
  const notVoid = commissions.filter(({ voidedAt }) => voidedAt === null)
  return Object.assign(sale, {
    outcome: outcomeOf(sale),
    customerEmail: customer?.email ?? null,
    commissionAmountCents:
      commissions.length > 0 ? notVoid.reduce((sum, { amountCents }) => sum + amountCents, 0n) : null,
    commissionCurrency: commissions[0]?.currency ?? null,
    affiliateEmail: affiliate.email,
    campaignName: campaign.name,
    source: saleSourceOf(sale),
  })
}

export const exportCommissions = (ctx: ProgramCtx, raw: unknown, options: BatchOptions) =>
  readBatch(ctx, raw, options, {
    noun: 'Commission',
    schema: exportCommissionsInput,
    query: (input, { where, ...window }) =>
      ({ where: { ...commissionsWhere(ctx, input), ...where }, ...window }) satisfies Prisma.CommissionFindManyArgs,
    toRow: (commission: Commission) => ({ ...commission, state: commissionState(commission, ctx.now()) }),
    lines: commissionLines(ctx.now()),
  })

/** Due commissions are collected when the export starts, but not for later batches. */
export const exportPayouts = (ctx: ProgramCtx, raw: unknown, options: BatchOptions) =>
  readBatch(ctx, raw, options, {
    noun: 'Payout',
    schema: exportPayoutsInput,
    query: async (input, { where, ...window }) => {
      if (input.after === undefined) await collectDueCommissions(ctx)
      return { where: { ...payoutsWhere(ctx, input), ...where }, ...window } satisfies Prisma.PayoutFindManyArgs
    },
    toRow: (payout: Payout) => ({ ...payout, state: payoutState(payout) }),
    lines: payoutLines,
  })
