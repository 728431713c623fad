import { z } from 'zod'
import { described, reference, required } from '../../../kernel/input/fields.ts'
import { amendCommission } from '../../commissions/amend.ts'
import { amendCommissionInput } from '../../commissions/input.ts'
import { owedMore } from '../changes.ts'
import { defineKind, sumsInWords } from '../kind.ts'

export const amend = defineKind({
  meaning: 'Changes the amount or the due date of a commission that is neither paid nor void.',
  mutation: 'amendCommission',
  arguments: z.object({
    id: required(described(reference(), 'The id of the commission.')),
    amountCents: amendCommissionInput.shape.amountCents,
    dueAt: amendCommissionInput.shape.dueAt,
  }),
  async run(ctx, { id, ...amendment }) {
    await amendCommission(ctx, id, amendment)
    return (changes) => {
      const money = owedMore(changes)
      const parts = [
        ...(amendment.amountCents === undefined ? [] : [`its amount changes by ${sumsInWords(money)}`]),
        ...(amendment.dueAt === undefined ? [] : [`it is due at ${amendment.dueAt.toISOString()}`]),
      ]
      return { text: `Changes a commission: ${parts.join(', ') || 'nothing changes'}.`, money }
    }
  },
})
