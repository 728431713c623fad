import { builder, everywhere, publicOnly } from '../../../graphql/builder.ts'
import { type GraphQLContext, programScope } from '../../../graphql/context.ts'
import { inputOf } from '../../../graphql/inputs.ts'
import { mutation } from '../../../graphql/mutation.ts'
import { nestedQuery } from '../../../graphql/nested-query.ts'
import { objectName } from '../../../graphql/object-name.ts'
import { explainedBy, explainSale } from '../explanations/explain.ts'
import { ExplanationType, explainedSale, rememberExplained } from '../explanations/graphql.ts'
import { reportConversionInput } from './input.ts'
import { type Conversion, reportConversion, simulateConversion } from './service.ts'

type Named = { programId: string; saleId: string }
type Answer = Conversion & Named & { seen?: Awaited<ReturnType<typeof look>> }

const saleKey = ({ programId, saleId }: Named) => ({ programId_id: { programId, id: saleId } })
const earnedKey = ({ programId, saleId }: Named) => ({ programId, saleId, refundId: null })

/** The rows that an answer shows, read before a simulation is rolled back. */
async function look(
  db: Pick<GraphQLContext['db'], 'sale' | 'commission'>,
  named: Named,
  queries: { sale: object; commission: object },
) {
  return {
    sale: await db.sale.findUniqueOrThrow({ ...queries.sale, where: saleKey(named) }),
    commission: await db.commission.findFirst({ ...queries.commission, where: earnedKey(named) }),
    explained: await db.sale.findUniqueOrThrow({ where: saleKey(named), include: explainedBy }),
  }
}

const ReportConversionPayload = builder.objectRef<Answer>('ReportConversionPayload').implement({
  extensions: { restName: 'Conversion' },
  description: 'The answer to a reported sale.',
  fields: (t) => ({
    object: objectName(t, 'conversion'),
    duplicate: t.exposeBoolean('duplicate', { description: 'The sale was reported before; nothing changed.' }),
    saleId: t.exposeID('saleId'),
    sale: t.prismaField({
      type: 'Sale',
      subGraphs: publicOnly,
      resolve: (query, answer, _args, ctx) =>
        answer.seen?.sale ?? ctx.db.sale.findUniqueOrThrow({ ...query, where: saleKey(answer) }),
    }),
    commission: t.prismaField({
      type: 'Commission',
      nullable: true,
      description: 'What the sale earned; null where it earned nothing (the explanation says why).',
      resolve: (query, answer, _args, ctx) =>
        answer.seen ? answer.seen.commission : ctx.db.commission.findFirst({ ...query, where: earnedKey(answer) }),
    }),
    explanation: t.field({
      type: ExplanationType,
      subGraphs: publicOnly,
      description: 'Which signals were tried, the rule, what it was applied to, the limits.',
      resolve: async ({ programId, saleId }, _args, ctx) =>
        explainSale(await explainedSale(ctx, { programId, id: saleId })),
    }),
  }),
})

mutation('reportConversion', ReportConversionPayload, {
  description:
    'Records a sale reported from any billing system and creates the commission it earns. At least one of referralId, email, coupon must be given. An `externalId` that is known changes nothing.',
  subGraphs: everywhere,
  input: reportConversionInput,
  resolve: async (ctx, input) => {
    const scope = programScope(ctx)
    return { ...(await reportConversion(scope, input)), programId: scope.program.id }
  },
})

builder.queryField('simulateConversion', (t) =>
  t.field({
    type: ReportConversionPayload,
    description:
      'What `reportConversion` would answer to the same input, explanation and errors included. Nothing is written: ids in the answer name nothing.',
    subGraphs: everywhere,
    args: { input: t.arg({ type: inputOf('ReportConversionInput', reportConversionInput), required: true }) },
    resolve: async (_root, { input }, ctx, info) => {
      const scope = programScope(ctx)
      const programId = scope.program.id
      const queries = {
        sale: nestedQuery(ctx, info, 'Sale', ['sale']),
        commission: nestedQuery(ctx, info, 'Commission', ['commission']),
      }
      const answer = await simulateConversion(scope, input, (db, saleId) => look(db, { programId, saleId }, queries))
      rememberExplained(ctx, answer.seen.explained)
      return { ...answer, programId }
    },
  }),
)
