import { emailKey } from '../../kernel/email.ts'
import { baseFields, counter, instant, text, word } from '../../listing/listing.ts'
import { defineListing } from '../../listing/registry.ts'

export const mailListing = defineListing({
  noun: 'Mail',
  model: 'mail',
  fields: {
    ...baseFields,
    kind: word('kind', 'MailKind'),
    to: text('toKey', { fold: emailKey }),
    state: word('state', 'MailState'),
    attempts: counter('attempts'),
    finishedAt: instant('finishedAt', { nullable: true }),
  },
  search: ['toKey'],
  orders: {},
  numbers: {},
  kept: null,
  groups: ['kind', 'state'],
})
