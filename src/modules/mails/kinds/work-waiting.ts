import type { Kind } from './kind.ts'

export const workWaiting: Kind = {
  description:
    'To managers: applications, held commissions, proposals, payouts, webhooks or feeds wait for them. Once a day.',
  // No mail was of these kinds.
  earlierNames: ['APPLICATIONS_WAITING', 'PAYOUTS_DUE'],
  to: 'managers',
  stop: 'daily',
  examples: ({ name, link, texts }) => ({ name, link, list: texts.waiting.payouts('3') }),
}
