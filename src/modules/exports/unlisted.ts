import type {
  Customer,
  PayoutRunItem,
  Prisma,
  Refund,
  Sale,
  UnattributedSale,
  Visit,
} from '../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import { leastIdOf } from '../../kernel/ids.ts'
import { carries, updatedBetween } from '../../listing/page.ts'
import type { KeptDecision } from '../sales/report/keep-unattributed.ts'
import { reasonOf } from '../sales/unattributed/reason.ts'
import { type BatchOptions, readBatch } from './batch.ts'
import { customerLines, paymentLines, refundLines, unattributedSaleLines, visitLines } from './columns.ts'
import {
  exportCustomersInput,
  exportPaymentsInput,
  exportRefundsInput,
  exportUnattributedSalesInput,
  exportVisitsInput,
} from './input.ts'

// The exports of what REST has no list of. @throws INVALID_INPUT

export const exportCustomers = (ctx: ProgramCtx, raw: unknown, options: BatchOptions) =>
  readBatch(ctx, raw, options, {
    noun: 'Customer',
    schema: exportCustomersInput,
    query: (input, { where, ...window }) =>
      ({
        where: { programId: ctx.program.id, ...updatedBetween(input), ...where },
        ...window,
      }) satisfies Prisma.CustomerFindManyArgs,
    toRow: (customer: Customer) => customer,
    lines: customerLines,
  })

/** The id of a visit has the time when its hour began. */
const hourMs = 3_600_000

export const exportVisits = (ctx: ProgramCtx, raw: unknown, options: BatchOptions) =>
  readBatch(ctx, raw, options, {
    noun: { model: 'visit' },
    schema: exportVisitsInput,
    query: ({ updatedSince, updatedUntil, affiliateId }, { where, ...window }) =>
      ({
        where: {
          programId: ctx.program.id,
          ...(updatedSince && { id: { gte: leastIdOf(new Date(updatedSince.getTime() - hourMs)) } }),
          ...((updatedSince || updatedUntil) && { at: { gte: updatedSince, lt: updatedUntil } }),
          ...(affiliateId !== undefined && { link: { affiliateId: carries(affiliateId) } }),
          ...where,
        },
        include: { link: { select: { token: true, affiliateId: true } } },
        ...window,
      }) satisfies Prisma.VisitFindManyArgs,
    toRow: ({ link, ...visit }: Visit & { link: { token: string; affiliateId: string } }) => ({
      ...visit,
      visitedAt: visit.at,
      affiliateId: link.affiliateId,
      link: link.token,
    }),
    lines: visitLines,
  })

const ofRefund = { currency: true, affiliateId: true, campaignId: true, customerId: true } as const
type RefundWithSale = Refund & { sale: Pick<Sale, keyof typeof ofRefund> }

export const exportRefunds = (ctx: ProgramCtx, raw: unknown, options: BatchOptions) =>
  readBatch(ctx, raw, options, {
    noun: 'Refund',
    schema: exportRefundsInput,
    query: (input, { where, ...window }) => {
      const { updatedAt } = updatedBetween(input)
      // A refund changes once: when it is reversed.
      const changed = [{ reversedAt: updatedAt }, { reversedAt: null, createdAt: updatedAt }]
      return {
        where: {
          programId: ctx.program.id,
          ...(input.affiliateId !== undefined && { sale: { affiliateId: carries(input.affiliateId) } }),
          ...(updatedAt && { OR: changed }),
          ...where,
        },
        include: { sale: { select: ofRefund } },
        ...window,
      } satisfies Prisma.RefundFindManyArgs
    },
    toRow: ({ sale, ...refund }: RefundWithSale) => ({
      ...sale,
      ...refund,
      updatedAt: refund.reversedAt ?? refund.createdAt,
      occurredAt: refund.occurredAt ?? refund.createdAt,
    }),
    lines: refundLines,
  })

export const exportPayments = (ctx: ProgramCtx, raw: unknown, options: BatchOptions) =>
  readBatch(ctx, raw, options, {
    noun: 'PayoutRunItem',
    schema: exportPaymentsInput,
    query: (input, { where, ...window }) =>
      ({
        where: {
          programId: ctx.program.id,
          ...updatedBetween(input),
          affiliateId: carries(input.affiliateId),
          ...where,
        },
        include: { run: { select: { method: true, sentAt: true } } },
        ...window,
      }) satisfies Prisma.PayoutRunItemFindManyArgs,
    toRow: ({ run, ...item }: PayoutRunItem & { run: { method: string; sentAt: Date | null } }) => ({
      ...item,
      ...run,
    }),
    lines: paymentLines,
  })

export const exportUnattributedSales = (ctx: ProgramCtx, raw: unknown, options: BatchOptions) =>
  readBatch(ctx, raw, options, {
    noun: 'UnattributedSale',
    schema: exportUnattributedSalesInput,
    query: (input, { where, ...window }) =>
      ({
        where: { programId: ctx.program.id, ...updatedBetween(input), ...where },
        ...window,
      }) satisfies Prisma.UnattributedSaleFindManyArgs,
    toRow: ({ decision, referralId, ...sale }: UnattributedSale) => ({
      ...sale,
      givenReferralId: referralId,
      reason: reasonOf(decision as KeptDecision),
    }),
    lines: unattributedSaleLines,
  })
