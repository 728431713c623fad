import fc from 'fast-check'
import type { AppDb } from '../../../src/kernel/db.ts'

const texts = [
  '',
  'ada',
  'Ada',
  'ADA LOVELACE',
  '50%',
  'a_b',
  'a\\b',
  "O'Neil",
  '"quoted"',
  'naïve',
  '😀',
  '{1,2}',
  'null',
  '=1+1',
  '-1,"2"',
  '\uFF1D1',
  'two\r\nlines',
  '\t\u0001\u007F\u2028',
]
const times = [
  '0099-01-02T03:04:05.006Z',
  '1999-12-31T23:59:59.999Z',
  '2026-01-02T03:04:05.600Z',
  '2026-03-01T00:00:00.000Z',
]
const amounts = [0n, 1n, 980n, 9_007_199_254_740_991n]
const jsons = [{ a: [1, null, 'x'] }, [], 'text', 7, { nested: { time: '2026-01-01' } }]

/** Fills two programs with rows of every kind: related and not, with and without each value that can be missing. */
export async function insertRows(db: AppDb, seed: number): Promise<void> {
  let calls = 0
  const pick = <T>(arbitrary: fc.Arbitrary<T>): T => {
    calls += 1
    return fc.sample(arbitrary, { seed: seed + calls, numRuns: 1 })[0] as T
  }
  const one = <T>(values: readonly T[]): T => pick(fc.constantFrom(...values))
  const maybe = <T>(values: readonly T[]): T | null => (one([true, true, false]) ? one(values) : null)
  const time = () => new Date(one(times))
  const maybeTime = () => (one([true, false]) ? time() : null)
  const id = () => pick(fc.uuid({ version: 7 }))
  const ids = (count: number) => Array.from({ length: count }, id)
  const stamps = () => ({ createdAt: time(), updatedAt: time() })
  await db.$transaction(async (tx) => {
    // Neither foreign keys nor triggers, so that rows can have any values. Every reference leads to a row nevertheless.
    await tx.$executeRawUnsafe('set local session_replication_role = replica')
    for (const name of ['one', 'two']) {
      const programId = id()
      const own = { programId }
      await tx.program.create({
        data: {
          id: programId,
          name: one(texts),
          url: 'https://acme.test',
          currency: 'usd',
          slug: name,
          publishableKey: `trib_pk_${name.padEnd(32, '0')}`,
          isSandbox: name === 'two',
          ...stamps(),
        },
      })
      const campaigns = ids(3)
      await tx.campaign.createMany({
        data: campaigns.map((id, index) => ({
          ...own,
          id,
          name: one(texts),
          url: 'https://acme.test',
          private: one([true, false]),
          isDefault: index === 0,
          rewardType: 'percent' as const,
          commissionBasisPoints: one([0, 2000]),
          commissionAmountCents: maybe(amounts),
          commissionCurrency: 'usd',
          minimumPayoutCents: one(amounts),
          daysBeforeReferralsExpire: 60,
          daysBeforeCommissionsAreDue: 30,
          ...stamps(),
        })),
      })
      const affiliates = ids(8)
      await tx.affiliate.createMany({
        data: affiliates.map((id, index) => ({
          ...own,
          id,
          campaignId: one(campaigns),
          email: `${one(texts)}${index}`,
          emailKey: `${one(texts).toLowerCase()}${index}`,
          firstName: maybe(texts),
          lastName: maybe(texts),
          state: one(['active', 'disabled', 'suspicious'] as const),
          confirmedAt: maybeTime(),
          visitors: one([0, 1, 2_147_483_647]),
          receiveNewCommissionNotifications: one([true, false]),
          ...stamps(),
        })),
      })
      const token = (index: number) => ({ token: `${one(texts)}${index}`, tokenKey: `t${index}` })
      const links = ids(10)
      await tx.affiliateLink.createMany({
        data: links.map((id, index) => ({
          ...own,
          id,
          affiliateId: one(affiliates),
          ...token(index),
          archivedAt: maybeTime(),
          ...stamps(),
        })),
      })
      const coupons = ids(4)
      await tx.affiliateCoupon.createMany({
        data: coupons.map((id, index) => ({
          ...own,
          id,
          affiliateId: affiliates[index * 2] as string,
          ...token(index),
          ...stamps(),
        })),
      })
      const customers = ids(5)
      await tx.customer.createMany({
        data: customers.map((id, index) => ({
          ...own,
          id,
          email: one(texts),
          emailKey: `${index}`,
          name: maybe(texts),
          ...stamps(),
        })),
      })
      const referrals = ids(12)
      await tx.referral.createMany({
        data: referrals.map((id) => ({
          ...own,
          id,
          affiliateId: one(affiliates),
          campaignId: one(campaigns),
          linkId: maybe(links),
          couponId: maybe(coupons),
          customerId: maybe(customers),
          becameLeadAt: maybeTime(),
          becameConversionAt: maybeTime(),
          expiresAt: time(),
          ...stamps(),
        })),
      })
      const sales = ids(12)
      await tx.sale.createMany({
        data: sales.map((id, index) => ({
          ...own,
          id,
          externalId: one([true, false]) ? `${one(texts)}${index}` : null,
          referralId: one(referrals),
          affiliateId: one(affiliates),
          campaignId: one(campaigns),
          customerId: maybe(customers),
          amountCents: one(amounts),
          currency: one(['usd', 'eur']),
          attributedBy: 'referral_id' as const,
          ...(one([true, false]) && { decision: one(jsons) }),
          occurredAt: time(),
          ...stamps(),
        })),
      })
      const payouts = ids(4)
      await tx.payout.createMany({
        data: payouts.map((id) => ({
          ...own,
          id,
          affiliateId: one(affiliates),
          currency: 'usd',
          amountCents: one(amounts),
          paidAt: time(),
          reference: maybe(texts),
          ...stamps(),
        })),
      })
      await tx.commission.createMany({
        data: sales.map((saleId, index) => ({
          ...own,
          id: id(),
          saleId,
          referralId: one(referrals),
          affiliateId: one(affiliates),
          campaignId: one(campaigns),
          payoutId: maybe(payouts),
          currency: 'usd',
          // The sum of several is exact too.
          amountCents: one(amounts.slice(0, 3)),
          heldReason: index % 3 === 0 ? ('self_referral_email' as const) : null,
          ruleRewardType: 'percent' as const,
          ruleBasisPoints: 2000,
          ruleAmountCents: maybe(amounts),
          ruleDaysBeforeDue: 30,
          occurredAt: time(),
          dueAt: time(),
          paidAt: index % 3 === 1 ? time() : null,
          voidedAt: index % 3 === 2 ? maybeTime() : null,
          ...stamps(),
        })),
      })
      await tx.refund.createMany({
        data: ids(6).map((id, index) => ({
          ...own,
          id,
          saleId: one(sales),
          externalId: one([true, false]) ? `${one(texts)}${index}` : null,
          amountCents: one(amounts.slice(1)),
          occurredAt: maybeTime(),
          createdAt: time(),
          reversedAt: maybeTime(),
          reversalReason: maybe(texts),
        })),
      })
      await tx.visit.createMany({
        data: ids(8).map((id) => ({
          ...own,
          id,
          linkId: one(links),
          referralId: one(referrals),
          visitorHash: 'hash',
          url: maybe(texts),
          referrer: maybe(texts),
          at: time(),
        })),
      })
      const runs = ids(3)
      await tx.payoutRun.createMany({
        data: runs.map((id) => ({
          ...own,
          id,
          method: one(['paypal', 'wise', 'manual'] as const),
          currency: 'usd',
          state: 'paid' as const,
          asOf: time(),
          payoutCount: 1,
          amountCents: one(amounts),
          needsApproval: false,
          fileHasMark: false,
          preparedByKind: 'operator' as const,
          sentAt: maybeTime(),
          ...stamps(),
        })),
      })
      await tx.payoutRunItem.createMany({
        data: runs.flatMap((runId) =>
          payouts.map((payoutId) => ({
            ...own,
            id: id(),
            runId,
            payoutId,
            affiliateId: one(affiliates),
            currency: one(['usd', 'jpy']),
            amountCents: one(amounts),
            goneCents: one(amounts),
            state: one(['paid', 'failed'] as const),
            recipient: maybe(texts),
            reference: maybe(texts),
            reason: maybe(texts),
            isNewRecipient: false,
            isByDefault: false,
            ...stamps(),
          })),
        ),
      })
      await tx.unattributedSale.createMany({
        data: ids(8).map((id, index) => ({
          ...own,
          id,
          externalId: one([true, false]) ? `${one(texts)}${index}` : null,
          referralId: maybe(texts),
          email: maybe(texts),
          customerName: maybe(texts),
          coupon: maybe(texts),
          amountCents: one(amounts),
          currency: one(['usd', 'kwd']),
          decision: {
            signals: [
              { signal: 'referral_id', outcome: one(['not_given', 'not_found']) },
              { signal: 'coupon', outcome: one(['not_given', 'not_found']) },
              { signal: 'email', outcome: one(['not_given', 'expired']) },
            ],
          },
          needsAttention: one([true, false]),
          occurredAt: time(),
          dismissedAt: maybeTime(),
          ...stamps(),
        })),
      })
      await tx.change.createMany({
        data: ids(6).map((id) => ({
          ...own,
          id,
          subject: one(['affiliate', 'campaign', 'payout'] as const),
          subjectId: one(affiliates),
          action: 'updated',
          fields: one(jsons),
          actorKind: 'operator' as const,
          requestId: one(texts),
          at: time(),
        })),
      })
      await tx.analyticsDelta.createMany({
        data: ids(4).map((linkId) => ({
          ...own,
          kind: one(['sale', 'refund'] as const),
          start: time(),
          campaignId: one(campaigns),
          affiliateId: one(affiliates),
          linkId,
          couponId: linkId,
          currency: 'usd',
          count: one(amounts),
          amount: one(['0', '-1', '1234567890123456']),
        })),
      })
    }
  })
}
