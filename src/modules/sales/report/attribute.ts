import type { Affiliate, Campaign, Customer, Prisma, Referral } from '../../../generated/prisma/client.ts'
import type { AttributionSignal } from '../../../generated/prisma/enums.ts'
import { TributaryError } from '../../../kernel/errors.ts'
import { tokenKey } from '../../../kernel/link-tokens.ts'
import { readByIdOrImportedId } from '../../../kernel/lookup.ts'
import type { LockedCustomer } from '../../customers/service.ts'
import { lockReferral } from '../../referrals/progress.ts'
import { insertReferral } from '../../referrals/service.ts'
import type { SignalOutcome, TriedSignal } from './decision.ts'

export type Attribution = {
  signal: AttributionSignal
  /** Locked, or created by this transaction. `customer` is the one that it had when it was first read. */
  referral: Referral & { customer?: Customer | null }
  /** Whether the referral was created for this sale. */
  isNew: boolean
  affiliate: Affiliate
  campaign: Campaign
  /** Every signal with its outcome, in the order in which they are tried. */
  signals: TriedSignal[]
}

type ReportedSale = {
  programId: string
  referralId?: string | undefined
  coupon?: string | undefined
  customer: LockedCustomer | null
  occurredAt: Date
  now: Date
}

type Match = Attribution['referral'] & { affiliate: Affiliate; campaign: Campaign; isNew?: true }
type Miss = Exclude<SignalOutcome, 'matched' | 'not_tried'>

const withParents = { affiliate: true, campaign: true } as const

/** Thrown if no signal leads to an active affiliate. */
export class NoMatch extends TributaryError {
  constructor(readonly signals: TriedSignal[]) {
    const missed = signals.filter(({ outcome }) => outcome !== 'not_given')
    super('REFUSED', 'No active affiliate matches this sale.', [], {
      reasons: ['no_matching_affiliate', ...missed.map(({ signal, outcome }) => `${signal}_${outcome}`)],
    })
  }
}

/**
 * Finds the referral that a sale belongs to: by referral id, else by coupon, else by e-mail. The first signal that leads to
 * an active affiliate wins. The caller holds the lock of the customer.
 *
 * Source: the contract's decisions on attribution.
 *
 * @throws NoMatch
 */
export async function attribute(tx: Prisma.TransactionClient, sale: ReportedSale): Promise<Attribution> {
  const lookups: [AttributionSignal, () => Promise<Match | Miss>][] = [
    ['referral_id', () => byReferralId(tx, sale)],
    ['coupon', () => byCoupon(tx, sale)],
    ['email', () => byCustomer(tx, sale)],
  ]
  const signals: TriedSignal[] = []
  let match: { signal: AttributionSignal; found: Match } | undefined
  for (const [signal, find] of lookups) {
    const found = match ? 'not_tried' : await find()
    if (typeof found !== 'string') match = { signal, found }
    signals.push({ signal, outcome: typeof found === 'string' ? found : 'matched' })
  }
  if (!match) throw new NoMatch(signals)
  const { signal, found } = match
  const { affiliate, campaign, isNew = false } = found
  return { signal, referral: isNew ? found : await lockReferral(tx, found), isNew, affiliate, campaign, signals }
}

async function byReferralId(tx: Prisma.TransactionClient, sale: ReportedSale): Promise<Match | Miss> {
  if (!sale.referralId) return 'not_given'
  const scope = { db: tx, program: { id: sale.programId } }
  // A browser may still send the id that the referral had on the server it was imported from.
  const found = await readByIdOrImportedId(scope, 'referral', sale.referralId, (where) =>
    tx.referral.findUnique({ where, include: { ...withParents, customer: true } }),
  )
  if (!found) return 'not_found'
  if (found.affiliate.state !== 'active') return 'affiliate_not_active'
  // The expiry applies to the first sale only.
  return found.becameConversionAt || found.expiresAt > sale.occurredAt ? found : 'expired'
}

/** A coupon needs no earlier visit: the referral of that affiliate and customer is used, or created. */
async function byCoupon(tx: Prisma.TransactionClient, sale: ReportedSale): Promise<Match | Miss> {
  if (!sale.coupon) return 'not_given'
  const coupon = await tx.affiliateCoupon.findUnique({
    where: { programId_tokenKey: { programId: sale.programId, tokenKey: tokenKey(sale.coupon) } },
    include: { affiliate: { include: { campaign: true } } },
  })
  if (!coupon) return 'not_found'
  if (coupon.affiliate.state !== 'active') return 'affiliate_not_active'
  // Like a referral's window, this is decided by when the sale occurred.
  const isArchived = ({ archivedAt }: { archivedAt: Date | null }) =>
    archivedAt !== null && archivedAt <= sale.occurredAt
  if (isArchived(coupon) || isArchived(coupon.affiliate.campaign)) return 'archived'
  const existing = await referralOfCustomer(tx, sale, { affiliateId: coupon.affiliateId })
  if (existing) return existing
  const made = await insertReferral(
    tx,
    coupon.affiliate,
    { couponId: coupon.id, customerId: sale.customer?.id ?? null, soldAt: sale.occurredAt },
    sale.now,
  )
  return { ...made, isNew: true, affiliate: coupon.affiliate, campaign: coupon.affiliate.campaign }
}

async function byCustomer(tx: Prisma.TransactionClient, sale: ReportedSale): Promise<Match | Miss> {
  if (!sale.customer) return 'not_given'
  const found = await referralOfCustomer(tx, sale, { affiliate: { state: 'active' } })
  if (found) return found
  const others = await tx.referral.findMany({
    where: { ...ofCustomer(sale.programId, sale.customer.id), becameLeadAt: { not: null } },
    select: { affiliate: { select: { state: true } } },
  })
  if (others.length === 0) return 'not_found'
  return others.some(({ affiliate }) => affiliate.state === 'active') ? 'expired' : 'affiliate_not_active'
}

/** A customer who bought with a different e-mail than the lead's also belongs to that referral. */
const ofCustomer = (programId: string, customerId: string): Prisma.ReferralWhereInput => ({
  programId,
  OR: [{ customerId }, { sales: { some: { customerId } } }],
})

/** The customer's first converted referral, else the newest lead that has not expired. A referral without a lead never matches. */
export async function referralOfCustomer(
  tx: Prisma.TransactionClient,
  sale: Pick<ReportedSale, 'programId' | 'customer' | 'occurredAt'>,
  whose: Prisma.ReferralWhereInput,
): Promise<Match | null> {
  if (!sale.customer || sale.customer.isNew) return null
  const theirs = { ...ofCustomer(sale.programId, sale.customer.id), ...whose }
  const converted = await tx.referral.findFirst({
    where: { ...theirs, becameConversionAt: { not: null } },
    orderBy: [{ becameConversionAt: 'asc' }, { id: 'asc' }],
    include: withParents,
  })
  if (converted) return converted
  return tx.referral.findFirst({
    where: { ...theirs, becameLeadAt: { not: null }, expiresAt: { gt: sale.occurredAt } },
    orderBy: { id: 'desc' },
    include: withParents,
  })
}
