import type { Kind } from './kind.ts'

export const applicationConfirm: Kind = {
  description: 'To an applicant: the link that confirms the e-mail.',
  to: 'applicant',
  stop: null,
  // Without it people could not apply.
  isAlwaysSent: true,
  needsLink: true,
  examples: ({ link }) => ({ link }),
}
