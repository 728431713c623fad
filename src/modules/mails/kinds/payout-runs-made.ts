import type { Kind } from './kind.ts'

export const payoutRunsMade: Kind = {
  description: 'To managers: what became of the payout runs of a day of the schedule. Once for each day.',
  to: 'managers',
  stop: 'daily',
  examples: ({ name, link, day, amount, texts }) => ({
    name,
    link,
    day,
    list: `USD: ${texts.scheduledRun.prepared(amount)}`,
  }),
}
