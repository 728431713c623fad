import { groupBy } from '../../../kernel/group-by.ts'
import type { Dispute, Fact, Payment, Refund, RefundedTotal, Release, Void } from '../facts.ts'

/** What was given back of a payment, with taxes and shipping. */
export type Returned = { refunds: Refund[]; totals: RefundedTotal[]; releases: Release[]; disputes: Dispute[] }

/** What facts of one payment say was given back. */
export function returnedOf(facts: readonly Fact[]): Returned {
  const of = <K extends Fact['kind']>(kind: K) =>
    facts.filter((fact): fact is Extract<Fact, { kind: K }> => fact.kind === kind)
  return { refunds: of('refund'), totals: of('refunded_total'), releases: of('release'), disputes: of('dispute') }
}

/** Whether the payment is void. An invoice that was paid after all is a sale. */
export const isVoidOf = (fact: Void, payment: Payment): boolean => fact.at > payment.at || payment.isBare === true

/** What must be refunded of a sale, in its own amounts. */
export type Target = {
  /** The sum of refunds, and the ids that they have at the billing system, newest last. */
  refundedCents: bigint
  refundIds: string[]
  /** Disputes that were lost, each with its amount. */
  lost: { id: string; cents: bigint }[]
  /** Disputes that were decided otherwise. */
  won: string[]
  /** Whether a dispute is open. */
  isDisputed: boolean
}

/**
 * What the billing system gave back, as a part of the sale. Amounts there are of all that was paid; a sale has less,
 * such as no tax. Sums are converted, not their parts, so that no cent is lost.
 * @param paidCents all that was paid, with taxes and shipping
 * @param saleCents the amount of the sale
 */
export function targetOf(
  { refunds, totals, releases, disputes }: Returned,
  paidCents: bigint,
  saleCents: bigint,
): Target {
  const convert = (cents: bigint) =>
    cents >= paidCents ? saleCents : (2n * cents * saleCents + paidCents) / (2n * paidCents)
  const amountOf = (cents: string | null) => (cents === null ? paidCents : BigInt(cents))
  const byId = [...groupBy(refunds, ({ id }) => id).values()].map(lastRefund)
  const doneRefunds = byId.filter(({ state, amountCents }) => state === 'done' && amountCents !== '0')
  const sum = (list: readonly Refund[]) => list.reduce((total, { amountCents }) => total + amountOf(amountCents), 0n)
  const failedCents = sum(byId.filter(({ state, isApart }) => state === 'failed' && !isApart))
  const reported = [...groupBy(totals, ({ id, isWhole }) => (isWhole ? '' : id)).values()].reduce(
    (total, ofCharge) => total + ofCharge.map(({ totalCents }) => BigInt(totalCents)).reduce(greater, 0n),
    0n,
  )
  const done = withoutReleased(doneRefunds, releases, sum(doneRefunds.filter(({ isApart }) => !isApart)) - reported)
  const [apart, ofCharges] = [done.filter(({ isApart }) => isApart), done.filter(({ isApart }) => !isApart)]
  const gross = lesser(sum(apart) + greater(sum(ofCharges), reported - failedCents), paidCents)
  let until = gross
  const decided = [...groupBy(disputes, ({ id }) => id).values()].map(lastDispute)
  const lost = decided
    .filter(({ state }) => state === 'lost')
    .sort((a, b) => a.id.localeCompare(b.id))
    .map(({ id, amountCents }) => {
      const before = convert(until)
      until = lesser(until + amountOf(amountCents), paidCents)
      return { id, cents: convert(until) - before }
    })
  return {
    refundedCents: convert(gross),
    refundIds: done.sort((a, b) => a.at.localeCompare(b.at) || a.id.localeCompare(b.id)).map(({ id }) => id),
    lost,
    won: decided.filter(({ state }) => state === 'won').map(({ id }) => id),
    isDisputed: decided.some(({ state }) => state === 'open'),
  }
}

/** A refund of what was not captured is made with the capture. */
const sameTimeMs = 60_000

/**
 * The refunds without those of what was not captured: one of its amount, at the time of the capture. If no event says
 * that time, it is one of them if the refunds are more than the charge says, by its amount.
 */
function withoutReleased(refunds: readonly Refund[], releases: readonly Release[], surplusCents: bigint): Refund[] {
  let left = [...refunds].sort((a, b) => a.at.localeCompare(b.at) || a.id.localeCompare(b.id))
  for (const release of groupBy(releases, ({ id }) => id).values()) {
    // Several captures release less with each.
    const cents = release.map((one) => BigInt(one.cents)).reduce(lesser)
    const times = release.flatMap(({ at }) => (at === null ? [] : [Date.parse(at)]))
    const isOfIt = ({ amountCents, isApart, at }: Refund) =>
      !isApart &&
      amountCents === String(cents) &&
      (times.length === 0
        ? surplusCents === cents
        : times.some((time) => Math.abs(Date.parse(at) - time) <= sameTimeMs))
    const found = left.find(isOfIt)
    left = left.filter((one) => one !== found)
  }
  return left
}

const greater = (a: bigint, b: bigint) => (a > b ? a : b)
const lesser = (a: bigint, b: bigint) => (a < b ? a : b)

/** A refund that has failed does not succeed later. */
const lastRefund = (ofOne: readonly Refund[]): Refund =>
  [...ofOne].sort(
    (a, b) =>
      Number(a.state === 'done') - Number(b.state === 'done') ||
      b.at.localeCompare(a.at) ||
      Number(BigInt(b.amountCents ?? 0) - BigInt(a.amountCents ?? 0)),
  )[0] as Refund

/** A decision counts more than what was before it, and the last decision most. */
const lastDispute = (ofOne: readonly Dispute[]): Dispute =>
  [...ofOne].sort(
    (a, b) =>
      Number(a.state === 'open') - Number(b.state === 'open') ||
      b.at.localeCompare(a.at) ||
      b.state.localeCompare(a.state),
  )[0] as Dispute
