import type { Kind } from './kind.ts'

export const applicationApproved: Kind = {
  description: 'To a new affiliate: welcome, with their link.',
  to: 'affiliate',
  section: 'links',
  stop: null,
  examples: ({ name, link, affiliateUrl }) => ({ name, link, affiliate_url: affiliateUrl }),
}
