import { z } from 'zod'
import { described, instant, oneOf, optional, reference, required, text } from '../../../kernel/input/fields.ts'
import { listed } from '../../../kernel/input/lists.ts'
import { createCommissionRuleInput } from '../../rules/input.ts'

export const branchAttributions = ['coupon_first'] as const

/** The most rules that a branch can have. */
const maxRules = 100

export const createBranchInput = z.object({
  name: required(described(text(), 'What it tries, for people.', { example: 'Partners at 25 % since July' })),
  since: required(described(instant(), 'The sales that occurred from then on are calculated again.')),
  rules: optional(
    described(
      listed('CreateCommissionRuleInput', createCommissionRuleInput, maxRules),
      'Rules for sales that are added, or that replace those of their campaign and name, also those of earlier versions. The others stay.',
    ),
  ),
  attribution: optional(
    described(oneOf('BranchAttribution', branchAttributions), 'Which signal decides first. Default: as it was.'),
  ),
})

const id = required(described(reference(), 'The id of the branch.'))

export const acceptBranchInput = z.object({
  id,
  reason: required(
    described(text(200), 'Why its corrections are given. Affiliates see it, each with the month of the sales.'),
  ),
})

export const discardBranchInput = z.object({ id })
