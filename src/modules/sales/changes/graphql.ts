import { programScope } from '../../../graphql/context.ts'
import { resourceMutation } from '../../../graphql/mutation.ts'
import { SaleType } from '../graphql.ts'
import { changeSaleInput } from './input.ts'
import { changeSale } from './service.ts'

resourceMutation('changeSale', 'sale', SaleType, {
  description:
    'Changes a recorded sale: its amount, its items, its billing interval, or, while nothing of it is paid, its affiliate. What it and the later sales of the customer earn is calculated again: a commission that is not paid is amended, one that is paid is followed by a correction. The history has the reason.',
  ids: { id: 'The id of the sale.' },
  input: changeSaleInput,
  subGraphs: ['public', 'rest'],
  resolve: async (ctx, { id: saleId, ...input }, query) => {
    const scope = programScope(ctx)
    const id = await changeSale(scope, { saleId, ...input })
    const where = { programId_id: { programId: scope.program.id, id } }
    return ctx.db.sale.findUniqueOrThrow({ ...query(), where })
  },
})
