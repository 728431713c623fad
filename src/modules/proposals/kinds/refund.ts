import { z } from 'zod'
import { invalid } from '../../../kernel/errors.ts'
import { refundSaleInput } from '../../sales/refunds/input.ts'
import { refundSale } from '../../sales/refunds/service.ts'
import { owedMore } from '../changes.ts'
import { defineKind, sumsInWords } from '../kind.ts'

const { saleId, externalId, amountCents, refundExternalId, occurredAt } = refundSaleInput.shape

export const refund = defineKind({
  meaning: 'Records that a sale was refunded, which lowers its commission. It returns no money to the customer.',
  mutation: 'refundSale',
  arguments: z.object({ saleId, externalId, amountCents, refundExternalId, occurredAt }),
  async run(ctx, args) {
    const { refund: recorded, duplicate } = await refundSale(ctx, args)
    if (!recorded) throw invalid([{ field: 'externalId', message: 'No sale has this external id.' }])
    if (duplicate) throw invalid([{ field: 'refundExternalId', message: 'This refund is recorded already.' }])
    const sale = await ctx.db.sale.findUniqueOrThrow({
      where: { programId_id: { programId: ctx.program.id, id: recorded.saleId } },
    })
    const refunded = [{ amountCents: recorded.amountCents, currency: sale.currency }]
    return (changes) => ({
      text: `Records a refund of ${sumsInWords(refunded)}: what is owed to affiliates changes by ${sumsInWords(owedMore(changes))}.`,
      money: owedMore(changes),
    })
  },
})
