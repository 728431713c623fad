import type { Kind } from './kind.ts'

export const test: Kind = {
  description: 'A mail that a person has sent to themselves.',
  to: 'person',
  stop: null,
  // It has the values of another kind.
  examples: () => ({}),
}
