import { builder, publicOnly } from '../../graphql/builder.ts'
import { MoneyType } from '../../graphql/money.ts'
import type { Liability } from './liability.ts'

const LiabilityWeekType = builder
  .objectRef<Liability['weeks'][number] & { currency: string }>('LiabilityWeek')
  .implement({
    description: 'The unpaid commissions with a due date in one week.',
    subGraphs: publicOnly,
    fields: (t) => ({
      week: t.exposeString('week', {
        description: 'The ISO 8601 week in the time zone of the query, such as 2026-W11.',
      }),
      start: t.expose('start', {
        type: 'DateTime',
        description: 'The start of the week: Monday in the time zone of the query.',
      }),
      amount: t.field({
        type: MoneyType,
        description: 'The sum of the commissions.',
        resolve: ({ amountCents, currency }) => ({ amountCents, currency }),
      }),
      commissions: t.expose('commissions', { type: 'SafeInt', description: 'The number of commissions.' }),
    }),
  })

export const LiabilityType = builder.objectRef<Liability>('Liability').implement({
  description: 'What is owed to affiliates now in one currency: the commissions that are neither paid nor void.',
  subGraphs: publicOnly,
  fields: (t) => {
    const amount = (description: string, cents: (liability: Liability) => bigint) =>
      t.field({
        type: MoneyType,
        description,
        resolve: (liability) => ({ amountCents: cents(liability), currency: liability.currency }),
      })
    return {
      currency: t.expose('currency', { type: 'Currency', description: 'The currency, as a lower-case ISO 4217 code.' }),
      owed: amount(
        'due + pending. Debts of affiliates are deducted; held commissions are not included.',
        (l) => l.dueCents + l.pendingCents,
      ),
      due: amount('The commissions that are due now.', (l) => l.dueCents),
      pending: amount('The commissions that are not due yet.', (l) => l.pendingCents),
      held: amount(
        'The held commissions, which are owed once they are approved. They are not part of the other amounts.',
        (l) => l.heldCents,
      ),
      weeks: t.field({
        type: [LiabilityWeekType],
        description: 'What is owed, by the week of the due date, in order. Weeks without commissions are left out.',
        resolve: ({ weeks, currency }) => weeks.map((week) => ({ ...week, currency })),
      }),
    }
  },
})
