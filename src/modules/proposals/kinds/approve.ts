import { approveCommissions } from '../../commissions/decide.ts'
import { approveCommissionsInput } from '../../commissions/input.ts'
import { approvedOf } from '../changes.ts'
import { counted, defineKind, sumsInWords } from '../kind.ts'

export const approve = defineKind({
  meaning: 'Approves held commissions. They can be paid once they are due.',
  mutation: 'approveCommissions',
  arguments: approveCommissionsInput,
  async run(ctx, args) {
    await approveCommissions(ctx, args)
    return (changes) => ({
      text: `Approves ${counted(changes.length, 'commission')}: ${sumsInWords(approvedOf(changes))} can be paid.`,
      money: approvedOf(changes),
    })
  },
})
