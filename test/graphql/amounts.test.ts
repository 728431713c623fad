import { getNamedType, isObjectType } from 'graphql'
import { expect, it } from 'vitest'
import { publicSchema } from '../../src/schema/schema.ts'

const ofSale = 'In the currency of its sale, whose `amount` has it.'
const ofPayment = 'In the currency of its payment, which has it.'

/** The amounts without a Money beside them, and why: there is no currency, or their row does not know it. */
const inCentsOnly: Record<string, string> = {
  'Campaign.minimumPayoutCents': 'In the currency of each payout: `Payout.minimumPayout` has it.',
  'CommissionRuleCap.perMonthCents': 'In the currency of each commission.',
  'CommissionRuleCap.perSaleCents': 'In the currency of each commission.',
  'CommissionRuleCap.perYearCents': 'In the currency of each commission.',
  'CommissionRuleStep.amountCents': 'In the currency of its reward.',
  'ConvertedMoney.amountCents': 'It is an amount with its currency itself.',
  'Explanation.calculatedCents': 'In the currency of its commission.',
  'ExplanationLine.amountCents': ofSale,
  'ExplanationLine.commissionCents': 'In the currency of its commission.',
  'ExplanationLine.fixedCents': 'In the currency of its commission.',
  'PaymentFact.amountCents': ofPayment,
  'PayoutRunStateTotal.amountCents': 'In the currency of its run, which has it.',
  'PayoutSchedule.minimumCents': 'In the currency of each run.',
  'PayoutSchedule.sendUpToCents': 'In the currency of each run.',
  'PayoutService.mostPerDayCents': 'In the currency of each run.',
  'PayoutService.mostPerPayeeCents': 'In the currency of each run.',
  'PayoutService.mostPerRunCents': 'In the currency of each run.',
  'Program.payoutApprovalAboveCents': 'A limit in every currency.',
  'RefundItem.amountCents': ofSale,
  'RefundSalePayload.amountCents': '`refund { amount }` has it.',
  'ReverseRefundPayload.amountCents': '`refund { amount }` has it.',
  'SaleItem.amountCents': ofSale,
  'StatementLine.amountCents': 'In the currency of its statement, which has it.',
  'WaitingRefund.amountCents': 'Its sale, with the currency, is not known yet.',
  'WaitingRefund.refundedTotalCents': 'Its sale, with the currency, is not known yet.',
}

const types = Object.values(publicSchema.getTypeMap()).filter(isObjectType)
const cents = types
  .filter(({ name }) => name !== 'Money')
  .flatMap((type) =>
    Object.values(type.getFields())
      .filter(({ name }) => name.endsWith('Cents'))
      .map(({ name, type: of }) => ({ path: `${type.name}.${name}`, money: type.getFields()[name.slice(0, -5)], of })),
  )

it('every amount is a Money beside its `…Cents`, unless its row does not know the currency', () => {
  const alone = cents.filter(({ money }) => money === undefined || getNamedType(money.type).name !== 'Money')
  expect(alone.map(({ path }) => path).sort()).toEqual(Object.keys(inCentsOnly).sort())
})

it('a Money is null where its `…Cents` is', () => {
  const others = cents.filter(({ money, of }) => money && String(money.type).endsWith('!') !== String(of).endsWith('!'))
  expect(others.map(({ path }) => path)).toEqual([])
})
