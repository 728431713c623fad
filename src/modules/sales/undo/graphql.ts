import { programScope } from '../../../graphql/context.ts'
import { resourceMutation } from '../../../graphql/mutation.ts'
import { SaleType } from '../graphql.ts'
import { undoAttributionInput } from './input.ts'
import { undoAttribution } from './service.ts'

resourceMutation('undoAttribution', 'sale', SaleType, {
  description:
    'Takes back that a person gave a sale to an affiliate. It waits among `unattributedSales` again, where `attributeSale` gives it to the same affiliate or another. Its commission is void, or, if it is paid, followed by a correction. Later sales of the customer do not follow it; those that did can be undone too. Idempotent.',
  ids: { saleId: 'The id of the sale.' },
  input: undoAttributionInput,
  resolve: async (ctx, { saleId, ...input }, query) => {
    const scope = programScope(ctx)
    const id = await undoAttribution(scope, saleId, input)
    const where = { programId_id: { programId: scope.program.id, id } }
    return ctx.db.sale.findUniqueOrThrow({ ...query(), where })
  },
})
