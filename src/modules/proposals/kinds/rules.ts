import { z } from 'zod'
import { described, optional, text } from '../../../kernel/input/fields.ts'
import { applyRulesInput } from '../../rule-plans/input.ts'
import { applyPlannedRules, planRules } from '../../rule-plans/service.ts'
import { defineKind } from '../kind.ts'
import { effectOfPlan } from '../plan.ts'

const { rules: all, keepOthers, from } = applyRulesInput.shape

export const rules = defineKind({
  meaning:
    'Changes commission rules, for sales that occur from then on. The effect is that on the sales of the last year.',
  mutation: 'applyRules',
  arguments: z.object({
    rules: all,
    keepOthers,
    from,
    planId: optional(described(text(), 'The id of the plan of the same rules. Default: a plan is made.')),
  }),
  kept: async (ctx, given) => ({ ...given, planId: given.planId ?? (await planRules(ctx, given)).id }),
  plan: async (ctx, args) => effectOfPlan(await planRules(ctx, args)),
  async run(ctx, args) {
    await applyPlannedRules(ctx, args)
    return null
  },
})
