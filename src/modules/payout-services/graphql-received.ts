import { batched } from '../../graphql/batch.ts'
import { builder, publicOnly } from '../../graphql/builder.ts'
import { type GraphQLContext, programScope } from '../../graphql/context.ts'
import { moneyBeside, moneyOf } from '../../graphql/money.ts'

type Received = { receivedCents: bigint | null; receivedCurrency: string | null; exchangeRate: string | null }

/** What arrived of payouts in another currency, as the service says it. Null if it was not changed. */
const receivedOf = (ctx: GraphQLContext, payoutId: string): Promise<Received | null> =>
  batched(ctx, 'received of payouts', payoutId, async (ids): Promise<(Received | null)[]> => {
    const { db, program } = programScope(ctx)
    const rows = await db.payoutRunItem.findMany({
      where: {
        programId: program.id,
        payoutId: { in: [...ids] },
        receivedCents: { not: null },
        goneCents: { gt: 0 },
        isExtra: false,
      },
      select: { payoutId: true, receivedCents: true, receivedCurrency: true, exchangeRate: true },
    })
    const byPayout = new Map(rows.map((row) => [row.payoutId, row]))
    return ids.map((id) => byPayout.get(id) ?? null)
  })

const changed = 'Null if the currency was not changed, or no service has said it.'

builder.prismaObjectFields('Payout', (t) => ({
  receivedCents: t.field({
    forAffiliate: true,
    type: 'SafeInt',
    nullable: true,
    subGraphs: publicOnly,
    description: `What arrived in another currency, in minor units of \`receivedCurrency\`. ${changed}`,
    select: { id: true },
    resolve: async ({ id }, _args, ctx) => (await receivedOf(ctx, id))?.receivedCents ?? null,
  }),
  received: t.field({
    forAffiliate: true,
    ...moneyBeside('receivedCents'),
    nullable: true,
    select: { id: true },
    resolve: async ({ id }, _args, ctx) => {
      const found = await receivedOf(ctx, id)
      return moneyOf(found?.receivedCents ?? null, found?.receivedCurrency ?? '')
    },
  }),
  receivedCurrency: t.field({
    forAffiliate: true,
    type: 'Currency',
    nullable: true,
    subGraphs: publicOnly,
    description: `The currency that arrived. ${changed}`,
    select: { id: true },
    resolve: async ({ id }, _args, ctx) => (await receivedOf(ctx, id))?.receivedCurrency ?? null,
  }),
  exchangeRate: t.field({
    forAffiliate: true,
    type: 'String',
    nullable: true,
    subGraphs: publicOnly,
    description: `The rate at which the service changed it. ${changed}`,
    select: { id: true },
    resolve: async ({ id }, _args, ctx) => (await receivedOf(ctx, id))?.exchangeRate ?? null,
  }),
}))
