import { builder, everywhere, publicOnly } from '../graphql/builder.ts'
import { programScope } from '../graphql/context.ts'
import { inputOf } from '../graphql/inputs.ts'
import { objectName } from '../graphql/object-name.ts'
import { reportConversionInput } from './input.ts'
import { type Conversion, reportConversion } from './service.ts'

const ConversionType = builder.objectRef<Conversion & { programId: string }>('Conversion').implement({
  description: 'The answer to a reported sale.',
  fields: (t) => ({
    object: objectName(t, 'conversion'),
    duplicate: t.exposeBoolean('duplicate', { description: 'The sale was reported before; nothing changed.' }),
    saleId: t.exposeID('saleId'),
    sale: t.prismaField({
      type: 'Sale',
      subGraphs: publicOnly,
      resolve: (query, { programId, saleId }, _args, ctx) =>
        ctx.db.sale.findUniqueOrThrow({ ...query, where: { programId_id: { programId, id: saleId } } }),
    }),
    commission: t.prismaField({
      type: 'Commission',
      nullable: true,
      description: 'What the sale earned; null where it earned nothing (the sale says why).',
      resolve: (query, { programId, saleId }, _args, ctx) =>
        ctx.db.commission.findFirst({ ...query, where: { programId, saleId, refundId: null } }),
    }),
  }),
})

builder.mutationField('reportConversion', (t) =>
  t.field({
    type: ConversionType,
    description:
      'Records a sale reported from any billing system and creates the commission it earns. At least one of referralId, email, coupon must be given. An `externalId` that is known changes nothing.',
    subGraphs: everywhere,
    args: { input: t.arg({ type: inputOf('ReportConversionInput', reportConversionInput), required: true }) },
    resolve: async (_root, { input }, ctx) => {
      const scope = programScope(ctx)
      return { ...(await reportConversion(scope, input)), programId: scope.program.id }
    },
  }),
)
