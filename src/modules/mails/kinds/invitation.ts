import type { Kind } from './kind.ts'

export const invitation: Kind = {
  description: 'To a person: an invitation to apply.',
  to: 'person',
  stop: null,
  needsLink: true,
  examples: ({ link }) => ({ link }),
}
