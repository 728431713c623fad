import type { Commission, Sale } from '../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import { emailKey } from '../../kernel/email.ts'
import { carries, updatedBetween } from '../../kernel/pagination/page.ts'
import { affiliatesWhere } from '../affiliates/service.ts'
import { commissionsWhere } from '../commissions/service.ts'
import { commissionState } from '../commissions/state.ts'
import { collectDueCommissions, payoutsWhere } from '../payouts/service.ts'
import { payoutState } from '../payouts/state.ts'
import { conversionState } from '../referrals/progress.ts'
import { referralsWhere } from '../referrals/service.ts'
import { outcomeOf } from '../sales/explanations/explain.ts'
import { readBatch } from './batch.ts'
import {
  exportAffiliatesInput,
  exportCommissionsInput,
  exportPayoutsInput,
  exportReferralsInput,
  exportSalesInput,
} from './input.ts'

// Each function reads the next batch of one resource as flat rows. @throws INVALID_INPUT

const ofAffiliate = {
  links: { select: { token: true }, orderBy: { id: 'asc' } },
  coupon: { select: { token: true } },
} as const

export const exportAffiliates = (ctx: ProgramCtx, raw: unknown) =>
  readBatch(
    ctx,
    'Affiliate',
    exportAffiliatesInput,
    raw,
    (input, { where, ...window }) =>
      ctx.db.affiliate.findMany({
        where: { ...affiliatesWhere(ctx, input), ...where },
        include: ofAffiliate,
        ...window,
      }),
    ({ links, coupon, ...affiliate }) => ({
      ...affiliate,
      linkTokens: links.map(({ token }) => token),
      couponToken: coupon?.token ?? null,
    }),
  )

export const exportReferrals = (ctx: ProgramCtx, raw: unknown) =>
  readBatch(
    ctx,
    'Referral',
    exportReferralsInput,
    raw,
    (input, { where, ...window }) =>
      ctx.db.referral.findMany({ where: { ...referralsWhere(ctx, input), ...where }, ...window }),
    (referral) => ({ ...referral, conversionState: conversionState(referral) }),
  )

/** All columns but `decision`, which is large and not exported. */
const ofSale = {
  programId: true,
  id: true,
  externalId: true,
  referralId: true,
  affiliateId: true,
  campaignId: true,
  customerId: true,
  customerName: true,
  amountCents: true,
  currency: true,
  attributedBy: true,
  noCommissionReason: true,
  refundedCents: true,
  occurredAt: true,
  createdAt: true,
  updatedAt: true,
  customer: { select: { email: true } },
  affiliate: { select: { email: true } },
  campaign: { select: { name: true } },
  commissions: { select: { amountCents: true, currency: true, refundId: true, voidedAt: true, heldReason: true } },
} as const

export const exportSales = (ctx: ProgramCtx, raw: unknown) =>
  readBatch(
    ctx,
    'Sale',
    exportSalesInput,
    raw,
    (input, { where, ...window }) =>
      ctx.db.sale.findMany({
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
      }),
    saleRow,
  )

type SaleWithCommissions = Omit<Sale, 'decision'> & {
  customer: { email: string } | null
  affiliate: { email: string }
  campaign: { name: string }
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
  })
}

export const exportCommissions = (ctx: ProgramCtx, raw: unknown) =>
  readBatch(
    ctx,
    'Commission',
    exportCommissionsInput,
    raw,
    (input, { where, ...window }) =>
      ctx.db.commission.findMany({ where: { ...commissionsWhere(ctx, input), ...where }, ...window }),
    (commission) => ({ ...commission, state: commissionState(commission, ctx.now()) }),
  )

/** Due commissions are collected when the export starts, but not for later batches. */
export const exportPayouts = (ctx: ProgramCtx, raw: unknown) =>
  readBatch(
    ctx,
    'Payout',
    exportPayoutsInput,
    raw,
    async (input, { where, ...window }) => {
      if (input.after === undefined) await collectDueCommissions(ctx)
      return ctx.db.payout.findMany({ where: { ...payoutsWhere(ctx, input), ...where }, ...window })
    },
    (payout) => ({ ...payout, state: payoutState(payout) }),
  )
