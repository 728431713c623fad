import type { Kind } from './kind.ts'

export const message: Kind = {
  description: 'To an affiliate: what a manager wrote, to one or to many.',
  to: 'affiliate',
  stop: 'messages',
  // The person who writes it sees it with the values of its first affiliate.
  examples: () => ({}),
}
