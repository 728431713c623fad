import { emailKey } from '../../kernel/email.ts'
import { baseFields, flag, id, instant, text, word } from '../../listing/listing.ts'
import { defineListing } from '../../listing/registry.ts'

export const applicationListing = defineListing({
  noun: 'Application',
  model: 'application',
  fields: {
    ...baseFields,
    email: text('emailKey', { fold: emailKey }),
    firstName: text('firstName', { nullable: true, searchable: true }),
    lastName: text('lastName', { nullable: true, searchable: true }),
    state: word('state', 'ApplicationState'),
    isDisposable: flag('isDisposable'),
    isInvited: flag('isInvited'),
    referredById: id('referredById', { nullable: true }),
    confirmedAt: instant('confirmedAt', { nullable: true }),
    decidedAt: instant('decidedAt', { nullable: true }),
  },
  search: ['emailKey', 'firstName', 'lastName'],
  orders: {},
  numbers: {},
  kept: null,
  groups: ['state'],
})
