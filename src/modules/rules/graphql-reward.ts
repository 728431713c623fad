import { batched } from '../../graphql/batch.ts'
import { builder, publicOnly } from '../../graphql/builder.ts'
import { programScope } from '../../graphql/context.ts'
import { argsOf } from '../../graphql/inputs.ts'
import type { Language } from '../../kernel/languages.ts'
import type { RewardLine } from '../../texts/en/reward.ts'
import { rewardNewsTexts, rewardTexts } from '../../texts/texts.ts'
import { say, type Writer } from '../../texts/writer.ts'
import { languageInput, wordsFor } from '../programs/graphql-words.ts'
import { readRewardNews } from './known-rewards.ts'
import { readRewards } from './reward.ts'
import { newsLine } from './reward-news.ts'

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
      return said(lines, language, writer)
    },
  }),
)

const said = (lines: readonly RewardLine[], language: Language, writer: Writer) =>
  lines.map((line) => say(rewardTexts[language], line, writer))

type RewardNews = { at: Date; text: string; reward: string[]; before: string[] }

const RewardNewsType = builder.objectRef<RewardNews>('RewardNews').implement({
  description: 'A change of what an affiliate earns.',
  subGraphs: publicOnly,
  fields: (t) => ({
    at: t.expose('at', { type: 'DateTime', forAffiliate, description: 'From when it holds. It can be ahead.' }),
    text: t.exposeString('text', { forAffiliate, description: 'The sentence: what is earned instead of what.' }),
    reward: t.field({
      forAffiliate,
      type: RewardType,
      description: 'What is earned then.',
      resolve: ({ reward }) => reward,
    }),
    before: t.field({
      forAffiliate,
      type: RewardType,
      nullable: true,
      description: 'What is earned until then. Null if a change that was announced does not take place.',
      resolve: ({ before }) => (before.length === 0 ? null : before),
    }),
  }),
})

builder.prismaObjectField('Affiliate', 'rewardNews', (t) =>
  t.field({
    forAffiliate: { args: ['language'] },
    type: [RewardNewsType],
    subGraphs: publicOnly,
    select: { id: true },
    args: argsOf(languageInput),
    description:
      'Changes of what the affiliate earns, the newest first: those of the last 60 days, and those to come. A change is here within minutes.',
    resolve: async ({ id }, args, ctx) => {
      const { language, writer } = await wordsFor(ctx, args)
      const news = await batched(ctx, 'rewardNews', id, (ids) => readRewardNews(programScope(ctx), ids))
      return news.map((change) => ({
        at: change.at,
        text: say(rewardNewsTexts[language], newsLine(change), writer),
        reward: said(change.lines, language, writer),
        before: said(change.before, language, writer),
      }))
    },
  }),
)
