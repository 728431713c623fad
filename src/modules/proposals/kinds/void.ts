import { z } from 'zod'
import { voidCommissions } from '../../commissions/decide.ts'
import { voidCommissionsInput } from '../../commissions/input.ts'
import { owedMore } from '../changes.ts'
import { counted, defineKind, sumsInWords } from '../kind.ts'

/** A sum that is owed less, without its sign. */
const given = (changes: Parameters<typeof owedMore>[0]) =>
  owedMore(changes).map(({ amountCents, currency }) => ({ amountCents: -amountCents, currency }))

export const voidKind = defineKind({
  meaning: 'Voids commissions that are not paid.',
  mutation: 'voidCommissions',
  arguments: z.object({ ids: voidCommissionsInput.shape.ids }),
  async run(ctx, { ids }, reason) {
    await voidCommissions(ctx, { ids, reason })
    return (changes) => {
      const voided = changes.filter(({ kinds }) => kinds.includes('voided')).length
      return {
        text: `Cancels ${counted(voided, 'commission')}: ${sumsInWords(given(changes))} less is owed to affiliates.`,
        money: owedMore(changes),
      }
    }
  },
})
