import type { Kind } from './kind.ts'

export const applicationReceived: Kind = {
  description: 'To an applicant whose application waits for a decision.',
  to: 'applicant',
  stop: null,
  examples: ({ name }) => ({ name }),
}
