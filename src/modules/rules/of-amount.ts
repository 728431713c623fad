import type { Commission } from '../../generated/prisma/client.ts'
import { mintId } from '../../kernel/ids.ts'

type Given = Pick<
  Commission,
  'programId' | 'kind' | 'reason' | 'affiliateId' | 'campaignId' | 'currency' | 'amountCents'
>

/**
 * A commission that no sale earned: a bonus, a correction, or a reward for a lead. Its own copy of a rule is the
 * amount, due at once unless `more` says otherwise.
 */
export const newOfAmount = (given: Given, now: Date, more: Partial<Commission> = {}): Commission => ({
  ...given,
  id: mintId(now),
  externalId: null,
  saleId: null,
  referralId: null,
  payoutId: null,
  refundId: null,
  correctsSaleId: null,
  paymentId: null,
  heldReason: null,
  furtherHeldReasons: null,
  ruleId: null,
  ruleRewardType: 'amount',
  ruleBasisPoints: null,
  ruleAmountCents: given.amountCents,
  ruleDaysBeforeDue: 0,
  ruleMaxCommissions: null,
  ruleMaxPeriodInMonths: null,
  ruleLines: null,
  occurredAt: now,
  dueAt: now,
  paidAt: null,
  voidedAt: null,
  dueNotedAt: null,
  createdAt: now,
  updatedAt: now,
  ...more,
})

type Correction = Omit<Given, 'kind'>

/** A correction of an amount, due at once unless `more` says otherwise. */
export const newCorrection = (given: Correction, now: Date, more: Partial<Commission> = {}): Commission =>
  newOfAmount({ ...given, kind: 'correction' }, now, more)
