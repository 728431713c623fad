import { createPayoutRun } from '../../payouts/runs/create.ts'
import { createPayoutRunInput } from '../../payouts/runs/input.ts'
import { counted, defineKind, sumsInWords } from '../kind.ts'

export const payoutRun = defineKind({
  meaning:
    'Prepares a payout run. It pays nothing: a person fetches its file, and above the limit of the program another one approves it first.',
  mutation: 'createPayoutRun',
  arguments: createPayoutRunInput,
  kept: async (ctx, given) => ({ ...given, asOf: given.asOf ?? ctx.now().toISOString() }),
  async run(ctx, args) {
    const id = await createPayoutRun(ctx, args)
    const where = { programId_id: { programId: ctx.program.id, id } }
    const { payoutCount, amountCents, currency } = await ctx.db.payoutRun.findUniqueOrThrow({ where })
    const money = [{ amountCents, currency }]
    return () => ({ text: `Prepares a run of ${counted(payoutCount, 'payout')}: ${sumsInWords(money)}.`, money })
  },
})
