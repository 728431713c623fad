import type { Kind } from './kind.ts'

export const rewardChanged: Kind = {
  description: 'To an affiliate: what they earn has changed, or changes on a day.',
  to: 'affiliate',
  section: 'terms',
  stop: 'rewards',
  examples: ({ name, link, news }) => ({ name, link, ...news }),
}
