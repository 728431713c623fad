import type { Kind } from './kind.ts'

export const monthClosed: Kind = {
  description: 'To an affiliate with a statement of a month that was closed. Its PDF is attached.',
  to: 'affiliate',
  section: 'statements',
  stop: 'statements',
  examples: ({ name, link, month, amount }) => ({ name, link, month, owed: amount }),
}
