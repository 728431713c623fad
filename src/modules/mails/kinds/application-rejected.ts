import type { Kind } from './kind.ts'

export const applicationRejected: Kind = {
  description: 'To an applicant who was rejected.',
  to: 'applicant',
  stop: null,
  examples: ({ name }) => ({ name, reason: '' }),
}
