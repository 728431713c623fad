import type { CommissionMails } from '../../generated/prisma/enums.ts'
import { defineEnum } from '../../graphql/enums.ts'

export const CommissionMailsEnum = defineEnum('CommissionMails', 'When an affiliate is told of new commissions.', {
  at_once: 'Within a few minutes.',
  daily: 'Once a day, at 07:00 in the time zone of the program.',
  weekly: 'On Mondays, at 07:00 in the time zone of the program.',
  never: 'Not at all.',
} satisfies Record<CommissionMails, string>)
