import { tokenKey } from '../affiliate-links/tokens.ts'
import type { Affiliate, Campaign, Customer, Prisma, Referral } from '../generated/prisma/client.ts'
import type { AttributionSignal } from '../generated/prisma/enums.ts'
import { isId } from '../ids.ts'
import { count, lockReferral } from '../referrals/progress.ts'
import { insertReferral } from '../referrals/service.ts'

export type Attribution = { signal: AttributionSignal; referral: Referral; campaign: Campaign }

type Sale = {
  programId: string
  referralId?: string | undefined
  coupon?: string | undefined
  customer: Customer | null
  occurredAt: Date
  now: Date
}

type Found = Referral & { affiliate: Affiliate; campaign: Campaign }

const withParents = { affiliate: true, campaign: true } as const

/**
 * Finds the referral a sale belongs to: by referral id, else by coupon, else by e-mail; the first signal that finds an
 * active affiliate wins. The referral comes back locked. The caller holds the customer's lock.
 *
 * Source: the contract's decisions on attribution.
 */
export async function attributeSale(tx: Prisma.TransactionClient, sale: Sale): Promise<Attribution | null> {
  const signals: [AttributionSignal, () => Promise<Found | null>][] = [
    ['referral_id', () => byReferralId(tx, sale)],
    ['coupon', () => byCoupon(tx, sale)],
    ['email', () => byCustomer(tx, sale)],
  ]
  for (const [signal, find] of signals) {
    const found = await find()
    if (found) return { signal, referral: await lockReferral(tx, sale.programId, found.id), campaign: found.campaign }
  }
  return null
}

/** The referral can still become a conversion, or is one: the window gates the first sale, never a later one. */
const open = (occurredAt: Date): Prisma.ReferralWhereInput => ({
  OR: [{ becameConversionAt: { not: null } }, { expiresAt: { gt: occurredAt } }],
})

async function byReferralId(tx: Prisma.TransactionClient, sale: Sale): Promise<Found | null> {
  if (!sale.referralId || !isId(sale.referralId)) return null
  return tx.referral.findFirst({
    where: { programId: sale.programId, id: sale.referralId, affiliate: { state: 'active' }, ...open(sale.occurredAt) },
    include: withParents,
  })
}

/** A coupon needs no earlier visit: the referral of that affiliate and customer is used, or made. */
async function byCoupon(tx: Prisma.TransactionClient, sale: Sale): Promise<Found | null> {
  if (!sale.coupon) return null
  const coupon = await tx.affiliateCoupon.findUnique({
    where: { programId_tokenKey: { programId: sale.programId, tokenKey: tokenKey(sale.coupon) } },
    include: { affiliate: { include: { campaign: true } } },
  })
  if (coupon?.affiliate.state !== 'active') return null
  const existing = await referralOfCustomer(tx, sale, { affiliateId: coupon.affiliateId })
  if (existing) return existing
  const made = await insertReferral(
    tx,
    coupon.affiliate,
    { couponId: coupon.id, customerId: sale.customer?.id ?? null },
    sale.now,
  )
  await count(tx, made, { visitors: 1 })
  return { ...made, affiliate: coupon.affiliate, campaign: coupon.affiliate.campaign }
}

function byCustomer(tx: Prisma.TransactionClient, sale: Sale): Promise<Found | null> {
  return referralOfCustomer(tx, sale, { affiliate: { state: 'active' } })
}

/** Of the customer's referrals the first that converted; else the newest lead that has not expired. Never a bare visitor. */
async function referralOfCustomer(
  tx: Prisma.TransactionClient,
  sale: Sale,
  whose: Prisma.ReferralWhereInput,
): Promise<Found | null> {
  if (!sale.customer) return null
  const customerId = sale.customer.id
  // Who bought under another e-mail than the lead's is that referral's customer too.
  const ofCustomer = { programId: sale.programId, OR: [{ customerId }, { sales: { some: { customerId } } }], ...whose }
  const converted = await tx.referral.findFirst({
    where: { ...ofCustomer, becameConversionAt: { not: null } },
    orderBy: [{ becameConversionAt: 'asc' }, { id: 'asc' }],
    include: withParents,
  })
  if (converted) return converted
  return tx.referral.findFirst({
    where: { ...ofCustomer, becameLeadAt: { not: null }, expiresAt: { gt: sale.occurredAt } },
    orderBy: { id: 'desc' },
    include: withParents,
  })
}
