import { z } from 'zod'
import { defineTool, rows } from '../tool.ts'

const money = '{ amountCents currency }'
const query = `query Plan($input: PlanRulesInput!, $affiliates: Int!) {
  planRules(input: $input) {
    planId since to sales changedSales
    changes { kind name campaign { id name } }
    currencies {
      currency difference ${money} before { commissions amount ${money} } after { commissions amount ${money} }
      affiliates(limit: $affiliates) { affiliate { id email } before ${money} after ${money} difference ${money} }
    }
    largestChanges { saleId affiliateId before ${money} after ${money} whyBefore whyAfter }
  }
}`

export const plan = defineTool({
  name: 'plan',
  title: 'Plan commission rules',
  description:
    'Says what other commission rules would have cost: replays the sales of a range by the present rules and by others, with who gains and who loses. Nothing is changed. `propose` with the kind RULES and the same rules drafts the change.',
  audience: 'program',
  input: z.object({
    rules: z
      .array(
        z.looseObject({
          campaignId: z.string(),
          name: z.string().describe('A rule with this name is changed, another one is created.'),
          conditions: z.record(z.string(), z.unknown()).optional().describe('Such as `{"groupIds": ["…"]}`.'),
          reward: z.record(z.string(), z.unknown()).describe('Such as `{"percent": 25}`.'),
          appliesTo: z.enum(['ALL_SALES', 'NEW_CUSTOMERS']).default('ALL_SALES'),
        }),
      )
      .max(50)
      .describe('Rules as `CreateCommissionRuleInput` of GraphQL has them.'),
    keepOthers: z.boolean().default(true).describe('Whether rules that are missing here stay. False: they end.'),
    since: z.iso.datetime({ offset: true }).optional().describe('The first sale that counts. Default: 12 months ago.'),
    affiliates: z.number().int().min(1).max(50).default(5).describe('How many of those with the largest changes.'),
  }),
  output: {
    planId: z.string(),
    since: z.string(),
    to: z.string(),
    sales: z.number(),
    changedSales: z.number(),
    changes: rows('The rules that it creates, changes or ends.'),
    currencies: rows('By currency: before, after, difference, and who gains and loses.'),
    largestChanges: rows('The sales that would change most.'),
    url: z.string(),
  },
  async run(call, { affiliates, ...input }) {
    const { planRules } = await call.ask(query, { input, affiliates })
    const { largestChanges, ...rest } = planRules
    return { ...rest, largestChanges: largestChanges.slice(0, 3), url: call.page('campaigns') }
  },
})
