import type { Kind } from './kind.ts'

export const monthlyStatement: Kind = {
  description: 'To an affiliate: what was earned and paid in a month, and what is due.',
  to: 'affiliate',
  section: 'performance',
  stop: 'statements',
  examples: ({ name, link, month, amount }) => ({ name, link, month, earned: amount, paid: amount, due: amount }),
}
