import type { Kind } from './kind.ts'

export const termsChanged: Kind = {
  description: 'To an affiliate: there are new terms, or they have to be accepted soon.',
  to: 'affiliate',
  section: 'new-terms',
  stop: 'terms',
  examples: ({ name, link, day, texts }) => ({ name, link, from: day, required: texts.termsRequired(day) }),
}
