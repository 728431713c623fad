import { programScope } from '../../../graphql/context.ts'
import { resourceMutation } from '../../../graphql/mutation.ts'
import { SaleType } from '../graphql.ts'
import { recordSaleInput } from './input.ts'
import { recordSaleOf } from './service.ts'

resourceMutation('recordSale', 'sale', SaleType, {
  description:
    'Records a sale of an affiliate that you name, and the commission that it earns with the rules of when it occurred. For sales that no billing system reports; those are reported with `reportConversion`. Later sales of the customer belong to the same affiliate.',
  ids: { affiliateId: 'The id of the affiliate who brought the sale.' },
  input: recordSaleInput,
  resolve: async (ctx, { affiliateId, ...input }, query) => {
    const scope = programScope(ctx)
    const id = await recordSaleOf(scope, affiliateId, input)
    const where = { programId_id: { programId: scope.program.id, id } }
    return ctx.db.sale.findUniqueOrThrow({ ...query(), where })
  },
})
