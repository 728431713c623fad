import type { Commission, Payout } from '../../generated/prisma/client.ts'
import { addDays } from '../../kernel/dates.ts'
import { emailKey } from '../../kernel/email.ts'
import type { Member } from './affiliates.ts'
import { minutesAfter, startOfDay } from './calendar.ts'
import { addFact } from './commissions.ts'
import { addItem, addPaymentFact, addRun } from './payments.ts'
import { madeAt } from './rows.ts'
import type { World } from './world.ts'

/** Adds one of everything that can wait for a person, so that the first page and the lists show what they are for. */
export function addWaiting(world: World, members: Member[]): void {
  const active = members.filter(({ affiliate }) => affiliate.state === 'active')
  addApplicant(world)
  addUnattributedSale(world)
  holdCommission(world, active)
  failPayment(world, active)
}

/** Addresses for documentation (RFC 5737). */
const applicantAddress = '203.0.113.24'

function addApplicant({ programId, random, period: { now }, people, rows }: World): void {
  const { firstName, lastName, email } = people.affiliate()
  const createdAt = minutesAfter(now, -26 * 60)
  const confirmedAt = minutesAfter(createdAt, 4)
  rows.applications.push({
    programId,
    id: random.id(createdAt),
    campaignId: null,
    email,
    emailKey: emailKey(email),
    firstName,
    lastName,
    fields: {},
    state: 'applied',
    language: 'en',
    reason: null,
    // Of a token that nobody has: the e-mail is confirmed.
    tokenHash: random.code(64),
    confirmedAt,
    decidedAt: null,
    affiliateId: null,
    referredById: null,
    isDisposable: false,
    isInvited: false,
    address: applicantAddress,
    termsVersion: null,
    termsAcceptedAt: null,
    createdAt,
    updatedAt: confirmedAt,
  })
}

/** A sale with a coupon that no affiliate has: somebody mistyped it. */
function addUnattributedSale({ programId, random, period: { now }, people, rows }: World): void {
  const at = minutesAfter(now, -5 * 60)
  const { firstName, lastName, email } = people.customer()
  const [coupon] = rows.affiliate_coupons
  rows.unattributed_sales.push({
    programId,
    id: random.id(at),
    externalId: `inv_${random.code(16)}`,
    referralId: null,
    email,
    coupon: `${coupon?.token ?? 'ADA20'}0`,
    customerName: `${firstName} ${lastName}`,
    billingCustomerId: null,
    amountCents: 9_900n,
    currency: 'usd',
    billingInterval: null,
    paymentNumber: null,
    items: null,
    decision: {
      signals: [
        { signal: 'referral_id', outcome: 'not_given' },
        { signal: 'coupon', outcome: 'not_found' },
        { signal: 'email', outcome: 'not_found' },
      ],
      dropped: [],
    },
    needsAttention: true,
    occurredAt: at,
    ...madeAt(at),
    dismissedAt: null,
    dismissedByKind: null,
    dismissedById: null,
    saleId: null,
  })
}

/** The newest commission of a customer with one sale, whose address is the affiliate's own. */
function holdCommission(world: World, active: Member[]): void {
  const { rows, period } = world
  const members = new Map(active.map((member) => [member.affiliate.id, member]))
  const salesOf = (customerId: string) => rows.sales.filter((sale) => sale.customerId === customerId)
  const isFree = (email: string) => rows.customers.every((customer) => customer.emailKey !== emailKey(email))
  const byAge = [...rows.commissions].sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime())
  for (const commission of byAge) {
    const member = members.get(commission.affiliateId)
    const sale = rows.sales.find(({ id }) => id === commission.saleId)
    const customer = rows.customers.find(({ id }) => id === sale?.customerId)
    if (commission.dueAt <= period.now || commission.voidedAt || commission.updatedAt > commission.createdAt) continue
    if (!member || !sale || !customer || salesOf(customer.id).length > 1) continue
    const email = taggedOf(member.affiliate.email)
    if (!isFree(email)) continue
    Object.assign(customer, { email, emailKey: emailKey(email) })
    commission.heldReason = 'self_referral_email'
    sale.decision = { ...(sale.decision as object), selfReferral: 'self_referral_email' }
    addFact(world, commission, 'held', 0n, commission.createdAt)
    Object.assign(rows.money_events.at(-1) as object, { reason: 'self_referral_email' })
    return
  }
}

/** "ada.lovelace@mail.example" becomes "ada.lovelace+shop@mail.example": the same mailbox. */
const taggedOf = (email: string) => email.replace('@', '+shop@')

const failure = 'The bank sent it back: the account is closed.'

/** A payment by hand that came back two days ago. Its commissions are in a payout of that time. */
function failPayment(world: World, active: Member[]): void {
  const { random, rows, period } = world
  const morning = startOfDay(addDays(period.now, -3))
  const [madeRunAt, sentAt] = [minutesAfter(morning, 9 * 60), minutesAfter(morning, 9.5 * 60)]
  const failedAt = minutesAfter(sentAt, 27 * 60)
  const [most] = active
    .flatMap(({ affiliate }) => rows.payouts.filter((payout) => payout.affiliateId === affiliate.id))
    .filter(({ paidAt, currency }) => !paidAt && currency === 'usd')
    .map((payout) => ({ payout, ...paidIn(rows.commissions, payout, madeRunAt) }))
    .filter(({ payout, amountCents }) => payout.createdAt < madeRunAt && amountCents > 0n)
    .sort((a, b) => Number(b.amountCents - a.amountCents))
  if (!most) return
  const { payout, amountCents } = most
  const failed: Payout = { ...payout, amountCents, failedAt, updatedAt: failedAt }
  rows.payouts.push(failed)
  Object.assign(payout, { id: random.id(failedAt), createdAt: failedAt })
  if (payout.updatedAt < failedAt) payout.updatedAt = failedAt
  for (const commission of rows.commissions) if (commission.payoutId === failed.id) commission.payoutId = payout.id
  const runId = addRun(world, [failed], { madeRunAt, sentAt, paidAt: failedAt, reference: 'Bank transfer' })
  const itemId = addItem(world, runId, failed, {
    state: 'failed',
    goneCents: 0n,
    reason: failure,
    createdAt: madeRunAt,
    updatedAt: failedAt,
  })
  addPaymentFact(world, itemId, { kind: 'sent', at: sentAt, reason: null })
  addPaymentFact(world, itemId, { kind: 'failed', at: failedAt, reason: failure })
}

/** What was due of a payout at a time. */
function paidIn(commissions: readonly Commission[], { id }: Payout, at: Date) {
  const due = commissions.filter(({ payoutId, dueAt }) => payoutId === id && dueAt <= at)
  return { amountCents: due.reduce((sum, { amountCents }) => sum + amountCents, 0n) }
}
