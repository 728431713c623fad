import { z } from 'zod'
import { described, reference, required } from '../../../kernel/input/fields.ts'
import { attributeSale } from '../../sales/unattributed/service.ts'
import { owedMore } from '../changes.ts'
import { defineKind, sumsInWords } from '../kind.ts'

export const attribute = defineKind({
  meaning: 'Attributes an unattributed sale to an affiliate, by the rules of when it occurred.',
  mutation: 'attributeSale',
  arguments: z.object({
    id: required(described(reference(), 'The id of the unattributed sale.')),
    affiliateId: required(described(reference(), 'The id of the affiliate.')),
  }),
  async run(ctx, { id, affiliateId }) {
    const saleId = await attributeSale(ctx, id, affiliateId)
    const where = { programId_id: { programId: ctx.program.id, id: saleId } }
    const { amountCents, currency } = await ctx.db.sale.findUniqueOrThrow({ where })
    return (changes) => ({
      text: `Attributes a sale of ${sumsInWords([{ amountCents, currency }])}, which earns ${sumsInWords(owedMore(changes))}.`,
      money: owedMore(changes),
    })
  },
})
