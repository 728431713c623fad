import type { Kind } from './kind.ts'

export const signIn: Kind = {
  description: 'To an affiliate: the link that signs in to the portal.',
  to: 'affiliate',
  stop: null,
  // Without it people could not sign in.
  isAlwaysSent: true,
  needsLink: true,
  examples: ({ link }) => ({ link }),
}
