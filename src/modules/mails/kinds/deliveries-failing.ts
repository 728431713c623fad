import type { Kind } from './kind.ts'

export const deliveriesFailing: Kind = {
  description: 'To managers: webhooks or feeds fail. Within minutes, at most once a day each.',
  to: 'managers',
  stop: 'failures',
  examples: ({ name, link, texts }) => ({ name, link, list: texts.waiting.payouts('3') }),
}
