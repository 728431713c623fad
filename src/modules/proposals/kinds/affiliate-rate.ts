import { z } from 'zod'
import type { ProgramCtx } from '../../../kernel/context.ts'
import { described, optional, percent, reference, required, text } from '../../../kernel/input/fields.ts'
import { findAffiliate } from '../../affiliates/find.ts'
import { applyPlannedRules, planRules } from '../../rule-plans/service.ts'
import { readRules } from '../../rules/service.ts'
import { defineKind } from '../kind.ts'
import { effectOfPlan } from '../plan.ts'

type Rate = { affiliateId: string; percent: unknown }

/** The rule of one affiliate, in the affiliate's campaign: the one that there is, or a new one. */
async function ruleOf(ctx: ProgramCtx, { affiliateId, percent: rate }: Rate) {
  const { id, campaignId } = await findAffiliate(ctx, affiliateId)
  const [own = []] = await readRules(ctx, [campaignId])
  const known = own.find(
    ({ conditions }) => Object.keys(conditions).length === 1 && conditions.affiliateIds?.join() === id,
  )
  const rule = {
    campaignId,
    name: known?.name ?? `Rate of affiliate ${id}`,
    conditions: { affiliateIds: [id] },
    reward: { percent: rate },
    appliesTo: 'all_sales',
  }
  return { rules: [rule], keepOthers: true }
}

/** Parsed arguments have basis points. */
const rateOf = (args: { affiliateId: string; percent: number }): Rate => ({
  affiliateId: args.affiliateId,
  percent: args.percent / 100,
})

export const affiliateRate = defineKind({
  meaning:
    "Sets the percentage that an affiliate's sales earn from then on, by a commission rule for the affiliate alone. The effect is that on the sales of the last year.",
  mutation: 'applyRules',
  arguments: z.object({
    affiliateId: required(described(reference(), 'The id of the affiliate.')),
    percent: required(described(percent(100), 'The percentage of each sale.')),
    planId: optional(described(text(), 'The id of the plan of the rule. Default: a plan is made.')),
  }),
  async kept(ctx, given) {
    const { affiliateId, percent: rate } = given
    if (typeof affiliateId !== 'string' || given.planId !== undefined) return given
    return { ...given, planId: (await planRules(ctx, await ruleOf(ctx, { affiliateId, percent: rate }))).id }
  },
  plan: async (ctx, args) => effectOfPlan(await planRules(ctx, await ruleOf(ctx, rateOf(args)))),
  async run(ctx, { planId, ...args }) {
    await applyPlannedRules(ctx, { ...(await ruleOf(ctx, rateOf(args))), planId })
    return null
  },
})
