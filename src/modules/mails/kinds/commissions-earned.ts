import type { Kind } from './kind.ts'

export const commissionsEarned: Kind = {
  description: 'To an affiliate: commissions that were earned, at once or as a digest.',
  to: 'affiliate',
  section: 'commissions',
  stop: 'commissions',
  examples: ({ name, link, amount }) => ({ name, link, amount, count: '3' }),
}
