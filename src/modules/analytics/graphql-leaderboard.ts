import { builder, publicOnly } from '../../graphql/builder.ts'
import { programScope } from '../../graphql/context.ts'
import { MoneyType } from '../../graphql/money.ts'
import { costOfReport } from './graphql-costs.ts'
import { LeaderboardMonthEnum } from './graphql-enums.ts'
import { type RankedAffiliate, type Ranking, readLeaderboard } from './leaderboard.ts'

const forAffiliate = true

const LeaderboardEntryType = builder.objectRef<RankedAffiliate>('LeaderboardEntry').implement({
  description: 'An affiliate in a leaderboard, as the other affiliates see them.',
  subGraphs: publicOnly,
  fields: (t) => ({
    rank: t.exposeInt('rank', { forAffiliate, description: '1, 2, 3 … Those who earned the same have the same rank.' }),
    name: t.exposeString('name', {
      forAffiliate,
      description: 'The name that the affiliate has chosen, else the initials. A dash without a name.',
    }),
    isMe: t.exposeBoolean('isMe', { forAffiliate, description: 'Whether it is the affiliate of the token.' }),
    earned: t.field({
      forAffiliate,
      type: MoneyType,
      nullable: true,
      description: 'What was earned in the month. Null unless `leaderboardShows` is `AMOUNTS`.',
      resolve: ({ amountCents, currency }) => (amountCents === null ? null : { amountCents, currency }),
    }),
  }),
})

const LeaderboardType = builder.objectRef<Ranking>('Leaderboard').implement({
  description: 'The affiliates of a program who earned most in a month.',
  subGraphs: publicOnly,
  fields: (t) => ({
    from: t.expose('from', { forAffiliate, type: 'DateTime', description: 'The start of the month, inclusive.' }),
    to: t.expose('to', { forAffiliate, type: 'DateTime', description: 'The end of the month, exclusive.' }),
    entries: t.field({
      forAffiliate,
      type: [LeaderboardEntryType],
      description: 'The first 20, and the affiliate of the token.',
      resolve: ({ entries }) => entries,
    }),
  }),
})

builder.prismaObjectField('Program', 'leaderboard', (t) =>
  t.field({
    forAffiliate: { args: ['month'] },
    type: LeaderboardType,
    nullable: true,
    subGraphs: publicOnly,
    select: { leaderboardShows: true },
    complexity: costOfReport,
    description:
      "The affiliates who earned most in a month of the program's time zone, in the program's currency: commissions that are not void. Without affiliates who do not want to be seen. Null if `leaderboardShows` is `NOTHING`.",
    args: {
      month: t.arg({
        type: LeaderboardMonthEnum,
        required: true,
        defaultValue: 'this_month',
        description: 'The month.',
      }),
    },
    resolve: ({ leaderboardShows }, { month }, ctx) =>
      readLeaderboard(
        programScope(ctx),
        leaderboardShows,
        month,
        ctx.actor.kind === 'affiliate' ? ctx.actor.affiliateId : null,
      ),
  }),
)
