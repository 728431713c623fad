import { withTransaction } from '../../../database/client/transaction.ts'
import type { Feed } from '../../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../../kernel/context.ts'
import { TributaryError } from '../../../kernel/errors.ts'
import { parseInput } from '../../../kernel/input/parse.ts'
import { readableAmount } from '../../../kernel/money/decimals.ts'
import { couponKey, isCouponCode } from '../../affiliates/coupons/code.ts'
import type { SoldItem } from '../../rules/sale.ts'
import { changeSaleInput } from '../../sales/changes/input.ts'
import { changeSaleWithin, isSame } from '../../sales/changes/service.ts'
import type { Decision, FeedReport } from '../../sales/decision.ts'
import type { Differences } from './differences.ts'
import type { PlannedSale } from './fold.ts'
import { soldItemsOf } from './items.ts'
import { applySteps, reversalsOf } from './reconcile.ts'
import type { RecordedSale } from './recorded.ts'
import { amountOf } from './sale-input.ts'
import type { Signals } from './signals.ts'

type ReportedPayment = Pick<PlannedSale, 'payment' | 'who'>

/** What events say of a payment, to see later what others change. @param includes as when it was recorded */
export function reportOf({ id }: Pick<Feed, 'id'>, { payment, who }: ReportedPayment, includes: string[]): FeedReport {
  const cents = amountOf(payment, includes)
  const items = (soldItemsOf(payment, cents).items ?? []).map(
    ({ productId, name = null, amountCents, quantity = 1 }) => {
      return { productId, name, amountCents, quantity } satisfies SoldItem
    },
  )
  const { rank, billingInterval = null, paymentNumber = null } = payment
  const said = { feedId: id, includes, rank, amountCents: String(cents), billingInterval, paymentNumber, items }
  return { ...said, referrals: who.referrals, coupons: who.coupons }
}

/** A change of a sale: of what it is, or of the affiliate who brought it. */
type SaleChange = { report: FeedReport; coupons: string[]; reason: string; what: string } & (
  | { do: 'amend' }
  | { do: 'move'; affiliateId: string; by: { referralId?: string; coupon?: string[] } }
)

/**
 * How a recorded sale has to change because later events say more of its payment. Only what this feed has recorded
 * changes, and only if nobody else has changed it.
 */
function changesOf(feed: Feed, sale: RecordedSale, planned: ReportedPayment, signals: Signals): SaleChange[] {
  const before = (sale.decision as Decision | null)?.feed
  if (before?.feedId !== feed.id || planned.payment.currency !== sale.currency) return []
  const now = reportOf(feed, planned, before.includes)
  return [...amended(sale, before, now), ...moved(sale, before, now, planned, signals)]
}

function amended(sale: RecordedSale, before: FeedReport, now: FeedReport): SaleChange[] {
  // A description that was deleted meanwhile is no reason to go back to a poorer one.
  if (now.rank < before.rank) return []
  const report = {
    ...now,
    // Those of before decide whether the affiliate changes.
    referrals: before.referrals,
    coupons: before.coupons,
    billingInterval: now.billingInterval ?? before.billingInterval,
    paymentNumber: now.paymentNumber ?? before.paymentNumber,
  }
  const isByOthers = !isSame(sale, ofReport(before))
  const used = (sale.decision as Decision).coupons ?? []
  const coupons = keysOf(now.coupons)
  const hasCode = coupons.some((key) => !used.includes(key)) && used.every((key) => coupons.includes(key))
  if (isByOthers || (isSame(ofReport(before), ofReport(report)) && !hasCode)) return []
  const cents = BigInt(report.amountCents)
  const isOther = cents !== sale.amountCents
  const amounts = `from ${readableAmount(sale.amountCents, sale.currency)} to ${readableAmount(cents, sale.currency)}`
  const what = isOther
    ? `would change the amount ${amounts}`
    : 'would change what was sold, how it is billed, or its codes'
  const reason = 'the billing system said more of the payment'
  return [{ do: 'amend', report, coupons: hasCode ? coupons : used, reason, what }]
}

const keysOf = (codes: readonly string[]) => codes.filter(isCouponCode).map(couponKey)

const ofReport = ({ amountCents, items, ...report }: FeedReport) => {
  return { ...report, amountCents: BigInt(amountCents), items: items as unknown as RecordedSale['items'] }
}

/** The payment, its subscription or its checkout names an affiliate that no event named before. */
function moved(
  sale: RecordedSale,
  before: FeedReport,
  now: FeedReport,
  { payment, who }: ReportedPayment,
  signals: Signals,
): SaleChange[] {
  const at = new Date(payment.at)
  const known = [...before.referrals, ...before.coupons]
  const isComplete =
    before.referrals.every((value) => now.referrals.includes(value)) &&
    before.coupons.every((code) => now.coupons.includes(code))
  if (sale.attributedBy === 'manual' || !isComplete) return []
  const referralId = who.referrals.find((value) => signals.ofReferral(value, at) === null)
  const coupon = who.coupons.find((code) => signals.ofCoupon(code, at) === null)
  const value = referralId ?? coupon
  const affiliateId = referralId ? signals.affiliateOfReferral(referralId) : signals.affiliateOfCoupon(coupon ?? '')
  const isOwn = referralId === undefined || who.ownReferrals.includes(referralId)
  if (!value || !affiliateId || !isOwn || known.includes(value) || affiliateId === sale.affiliateId) return []
  const by = referralId ? { referralId } : { coupon: who.coupons }
  const report = { ...before, referrals: now.referrals, coupons: now.coupons }
  const reason = `the billing system named \`${value.slice(0, 60)}\``
  const what = `would give the sale to the affiliate of \`${value.slice(0, 60)}\``
  return [{ do: 'move', affiliateId, by, report, coupons: keysOf(now.coupons), reason, what }]
}

type Options = {
  feed: Feed
  signals: Signals
  /** The ids of refunds that events name. */
  named: ReadonlySet<string>
  dryRun: Differences | undefined
  /** Reads the sale again. */
  read(before: RecordedSale): Promise<RecordedSale>
}

/** Changes a recorded sale where later events say more of its payment. The notes say what a person has to decide. */
export async function changeRecorded(
  ctx: ProgramCtx,
  recorded: RecordedSale,
  planned: ReportedPayment,
  { feed, signals, named, dryRun, read }: Options,
): Promise<{ sale: RecordedSale; notes: string[] }> {
  const notes: string[] = []
  let sale = recorded
  for (const kind of ['amend', 'move'] as const) {
    const change = changesOf(feed, sale, planned, signals).find((one) => one.do === kind)
    if (!change) continue
    const amountCents = kind === 'amend' ? BigInt(change.report.amountCents) : sale.amountCents
    const isFixed = sale.refunds.length > 0 || sale.commissions.some(({ paidAt }) => paidAt !== null)
    if (dryRun) {
      if (kind === 'amend' || !isFixed)
        dryRun.add({ change: 'change', what: change.what, saleExternalId: sale.externalId ?? sale.id })
      sale = { ...sale, amountCents }
      continue
    }
    if (amountCents !== sale.amountCents && sale.refundedCents > 0n) {
      await applySteps(ctx, sale, reversalsOf(sale, named))
      sale = await read(sale)
    }
    const problem = await applyChange(ctx, sale, change, planned.who.customer ?? null)
    if (problem !== null) notes.push(problem)
    sale = await read(sale)
  }
  return { sale, notes }
}

/** Applies a change. @returns why it cannot be made, for a person; or null */
async function applyChange(
  ctx: ProgramCtx,
  sale: RecordedSale,
  change: SaleChange,
  billingCustomerId: string | null,
): Promise<string | null> {
  const { report } = change
  const { updatedAt } = sale
  const fields =
    change.do === 'move'
      ? { affiliateId: change.affiliateId }
      : {
          amountCents: BigInt(report.amountCents),
          items: report.items.map(({ name, ...item }) => ({ ...item, ...(name !== null && { name }) })),
          billingInterval: report.billingInterval,
        }
  try {
    const given = await parseInput(changeSaleInput, fields)
    const more = change.do === 'move' ? {} : { paymentNumber: report.paymentNumber }
    const by = {
      report,
      coupons: change.coupons,
      updatedAt,
      billingCustomerId,
      signals: change.do === 'move' ? change.by : {},
    }
    await withTransaction(ctx.db, (tx) => changeSaleWithin(ctx, tx, sale.id, { ...given, ...more }, change.reason, by))
    return null
  } catch (error) {
    if (!(error instanceof TributaryError) || (error.code !== 'REFUSED' && error.code !== 'INVALID_INPUT')) throw error
    const why = error.problems.map(({ field, message }) => (field ? `${field}: ${message}` : message)).join(' ')
    return `${change.reason[0]?.toUpperCase()}${change.reason.slice(1)}, which changes nothing: ${why || error.message}`
  }
}
