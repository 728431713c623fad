import { expect, it } from 'vitest'
import { refundEffect } from '../../../src/kernel/money/refund-effect.ts'

const percent = { basisPoints: 2_000 }
const fixed = { amountCents: 500n }

it.each([
  ['a part of a sale lowers a percentage', percent, false, 2_000n, 7_450n, { kind: 'lowered', cents: 1_490n }],
  ['a part of a sale leaves a fixed amount', fixed, false, 500n, 1n, { kind: 'same' }],
  ['a whole sale voids a percentage', percent, false, 2_000n, 0n, { kind: 'voided' }],
  ['a whole sale voids a fixed amount', fixed, false, 500n, 0n, { kind: 'voided' }],
  ['a commission that was lowered by hand is not raised', percent, false, 100n, 7_450n, { kind: 'same' }],
  ['a paid commission becomes a debt', percent, true, 2_000n, 7_450n, { kind: 'debt', cents: 510n }],
  ['a paid commission of a whole sale becomes a debt', fixed, true, 500n, 0n, { kind: 'debt', cents: 500n }],
  ['a paid commission with a debt already owes no more', percent, true, 1_490n, 7_450n, { kind: 'same' }],
] as const)('%s', (_, rule, isPaid, currentCents, remainingCents, effect) => {
  expect(refundEffect(rule, { isPaid, currentCents, remainingCents })).toEqual(effect)
})
