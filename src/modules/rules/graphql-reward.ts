import { batched } from '../../graphql/batch.ts'
import { builder, publicOnly } from '../../graphql/builder.ts'
import { programScope } from '../../graphql/context.ts'
import { argsOf } from '../../graphql/inputs.ts'
import { rewardTexts } from '../../texts/texts.ts'
import { say } from '../../texts/writer.ts'
import { languageInput, wordsFor } from '../programs/graphql-words.ts'
import { readRewards } from './reward.ts'

const forAffiliate = true

const RewardLineType = builder.objectRef<string>('RewardLine').implement({
  description: 'A sentence about what an affiliate earns.',
  subGraphs: publicOnly,
  fields: (t) => ({
    text: t.string({ forAffiliate, description: 'The sentence.', resolve: (text) => text }),
  }),
})

const RewardType = builder.objectRef<string[]>('Reward').implement({
  description: 'What an affiliate earns now, in sentences.',
  subGraphs: publicOnly,
  fields: (t) => ({
    text: t.string({ forAffiliate, description: 'All lines as one text.', resolve: (lines) => lines.join(' ') }),
    lines: t.field({
      forAffiliate,
      type: [RewardLineType],
      description:
        'First what any sale earns, with its limits; then the rules for certain sales, each with its condition, in the order in which they are tried; then what a lead earns.',
      resolve: (lines) => lines,
    }),
  }),
})

builder.prismaObjectField('Affiliate', 'reward', (t) =>
  t.field({
    forAffiliate: { args: ['language'] },
    type: RewardType,
    subGraphs: publicOnly,
    select: { id: true },
    args: argsOf(languageInput),
    description:
      "What the affiliate earns now, by the rules that hold for them and their campaign. Codes of other affiliates' coupons and names of rules are left out.",
    resolve: async ({ id }, args, ctx) => {
      const { language, writer } = await wordsFor(ctx, args)
      const lines = await batched(ctx, 'rewards', id, (ids) => readRewards(programScope(ctx), ids))
      return lines.map((line) => say(rewardTexts[language], line, writer))
    },
  }),
)
