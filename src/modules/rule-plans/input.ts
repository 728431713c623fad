import { z } from 'zod'
import { described, flag, instant, optional, reference, required, text } from '../../kernel/input/fields.ts'
import { listed } from '../../kernel/input/lists.ts'
import { createCommissionRuleInput } from '../rules/input.ts'

/** The most rules that one plan can have, in all campaigns together. */
const maxPlanned = 2_000

const rules = described(
  listed('CreateCommissionRuleInput', createCommissionRuleInput, maxPlanned),
  'All rules of all campaigns. A rule is recognised by its campaign and its name: one that the campaign has is changed, another one is created, and those that are missing here end, without `keepOthers`.',
)

const keepOthers = described(flag(), 'Whether rules that are missing here stay as they are. Default: they end.')

export const planRulesInput = z.object({
  rules: required(rules),
  keepOthers: optional(keepOthers),
  since: optional(described(instant(), 'The sales that occurred from then on are counted. Default: 12 months ago.')),
})

export const applyRulesInput = z.object({
  rules: required(rules),
  keepOthers: optional(keepOthers),
  planId: required(described(text(), 'The id of the plan of the same rules.')),
  from: optional(described(instant(), 'Sales that occur from then on have these rules. Default: now.')),
})

export const revertRulesInput = z.object({
  campaignId: optional(
    described(
      reference(),
      'Only the rules of this campaign. Default: of all campaigns that the last change was about.',
    ),
  ),
})
