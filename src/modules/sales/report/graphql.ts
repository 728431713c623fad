import { builder, everywhere, publicOnly } from '../../../graphql/builder.ts'
import { type GraphQLContext, programScope } from '../../../graphql/context.ts'
import { inputOf } from '../../../graphql/inputs.ts'
import { mutation } from '../../../graphql/mutation.ts'
import { nestedQuery } from '../../../graphql/nested-query.ts'
import { objectName } from '../../../graphql/object-name.ts'
import { excerpt } from '../../../kernel/text.ts'
import { explainedBy, explainSale } from '../explanations/explain.ts'
import { ExplanationType, explainedSale, primeExplainedSale } from '../explanations/graphql.ts'
import { type Conversion, reportConversion, simulateConversion } from '../report-sale.ts'
import '../../affiliates/agents/graphql.ts'
import { reportConversionInput } from './input.ts'

type SaleRef = { programId: string; saleId: string }
type ConversionReport = Conversion & SaleRef & { rows?: Awaited<ReturnType<typeof readRows>> }

const saleKey = ({ programId, saleId }: SaleRef) => ({ programId_id: { programId, id: saleId } })
const earnedKey = ({ programId, saleId }: SaleRef) => ({ programId, saleId, refundId: null })

/** Reads the rows that the payload of a dry run shows, before the dry run is rolled back. */
async function readRows(
  db: Pick<GraphQLContext['db'], 'sale' | 'commission'>,
  ref: SaleRef,
  queries: { sale: object; commission: object },
) {
  return {
    sale: await db.sale.findUniqueOrThrow({ ...queries.sale, where: saleKey(ref) }),
    commission: await db.commission.findFirst({ ...queries.commission, where: earnedKey(ref) }),
    explained: await db.sale.findUniqueOrThrow({ where: saleKey(ref), include: explainedBy }),
  }
}

/** Whether a query of Prisma selects the columns of the row alone. */
const isPlain = (query: { include?: unknown; select?: unknown }) => !query.include && !query.select

const ReportConversionPayload = builder.objectRef<ConversionReport>('ReportConversionPayload').implement({
  extensions: { restName: 'Conversion' },
  description: 'The result of `reportConversion` and `simulateConversion`.',
  fields: (t) => ({
    object: objectName(t, 'conversion'),
    duplicate: t.exposeBoolean('duplicate', {
      description: 'Whether the external id was reported before. If so, nothing changed.',
    }),
    saleId: t.exposeID('saleId', { description: 'The id of the recorded sale.' }),
    sale: t.prismaField({
      type: 'Sale',
      subGraphs: publicOnly,
      description: 'The recorded sale.',
      resolve: (query, report, _args, ctx) => {
        if (report.rows) return report.rows.sale
        if (report.recorded && isPlain(query)) return report.recorded.sale
        return ctx.db.sale.findUniqueOrThrow({ ...query, where: saleKey(report) })
      },
    }),
    commission: t.prismaField({
      type: 'Commission',
      nullable: true,
      description:
        'The commission that the sale earned, in its current state. Null if it earned no commission; `explanation` gives the reason.',
      resolve: (query, report, _args, ctx) => {
        if (report.rows) return report.rows.commission
        // The row that was written is as good as one that is read, unless relations are selected too.
        if (report.recorded && isPlain(query)) return report.recorded.commission
        return ctx.db.commission.findFirst({ ...query, where: earnedKey(report) })
      },
    }),
    // REST has it for API keys with the superset profile: see src/rest/convention/table.ts.
    differences: t.exposeStringList('differences', {
      subGraphs: publicOnly,
      description:
        'How a repeated report differs from the sale that was recorded: in its amount or currency, as English sentences. Empty for a new sale.',
    }),
    explanation: t.field({
      type: ExplanationType,
      subGraphs: publicOnly,
      description: 'Why the sale was attributed to the affiliate, and how its commission was calculated.',
      resolve: async ({ programId, saleId }, _args, ctx) =>
        explainSale(await explainedSale(ctx, { programId, id: saleId })),
    }),
  }),
})

mutation('reportConversion', ReportConversionPayload, {
  description:
    'Records a sale from any billing system and the commission it earns. At least one of `referralId`, `email` and `coupon` must be given. Idempotent by `externalId`: reporting a known one changes nothing.',
  subGraphs: everywhere,
  input: reportConversionInput,
  resolve: async (ctx, input) => {
    const scope = programScope(ctx)
    const report = await reportConversion(scope, input)
    if (report.differences.length > 0)
      ctx.remark?.(`The sale ${excerpt(String(input.externalId))} is recorded already. ${report.differences.join(' ')}`)
    return { ...report, programId: scope.program.id }
  },
})

builder.queryField('simulateConversion', (t) =>
  t.field({
    type: ReportConversionPayload,
    description:
      'A dry run of `reportConversion`: returns what it would return for the same input, including the explanation and errors. Nothing is written, so ids of new rows in the result do not exist.',
    subGraphs: everywhere,
    args: {
      input: t.arg({
        type: inputOf('ReportConversionInput', reportConversionInput),
        required: true,
        description: 'The sale, as for `reportConversion`.',
      }),
    },
    resolve: async (_root, { input }, ctx, info) => {
      const scope = programScope(ctx)
      const programId = scope.program.id
      const queries = {
        sale: nestedQuery(ctx, info, 'Sale', ['sale']),
        commission: nestedQuery(ctx, info, 'Commission', ['commission']),
      }
      const report = await simulateConversion(scope, input, (db, saleId) =>
        readRows(db, { programId, saleId }, queries),
      )
      primeExplainedSale(ctx, report.rows.explained)
      return { ...report, programId }
    },
  }),
)
