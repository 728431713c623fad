import { z } from 'zod'
import {
  described,
  email,
  flag,
  oneOf,
  optional,
  reference,
  required,
  text,
  unchangedIfAbsent,
  wholeNumber,
} from '../../kernel/input/fields.ts'

export const memberRoles = ['owner', 'manager', 'finance', 'analyst'] as const

const role = described(oneOf('MemberRole', memberRoles), 'What the person may do in the program.')
const personId = required(described(reference(), 'The person.'))

export const inviteMemberInput = z.object({
  email: required(described(email(), 'The e-mail address of the person. The link works for this address only.')),
  role: required(role),
})

export const setUpMinutes = 60

export const createSetUpLinkInput = z.object({
  validForMinutes: optional(
    described(wholeNumber(1, 24 * 60), 'How long the link works, in minutes.', { default: setUpMinutes }),
  ),
})

export const createPasswordResetLinkInput = z.object({
  email: required(described(email(), 'The e-mail address with which the person signs in.')),
})

export const createEmailChangeLinkInput = z.object({
  email: required(described(email(), 'The e-mail address with which the person signs in now.')),
  newEmail: required(described(email(), 'The new e-mail address.', { example: 'grace@acme.test' })),
})

export const updateMemberInput = z.object({ personId, role: required(role) })

export const updateMyMailsInput = z.object({
  getsDailyMails: unchangedIfAbsent(described(flag(), 'Whether a daily mail says what waits for owners and managers.')),
  getsFailureMails: unchangedIfAbsent(described(flag(), 'Whether mails tell at once of failing webhooks and feeds.')),
})

export const savedViewLists = ['affiliates', 'commissions', 'sales', 'payouts'] as const

const list = required(described(oneOf('SavedViewList', savedViewLists), 'The list.'))
const viewName = required(described(text(100), 'The name of the view.', { example: 'Top partners' }))

export const saveViewInput = z.object({
  list,
  name: viewName,
  query: required(
    described(text(4_000), 'What the address of the list says after `?`.', { example: 'state=active&order=-created' }),
  ),
})

export const deleteSavedViewInput = z.object({ list, name: viewName })

const queryName = required(described(text(100), 'The name of the query.', { example: 'Revenue by campaign' }))

export const saveQueryInput = z.object({
  name: queryName,
  query: required(described(text(20_000), 'The text of the query.', { example: '{ program { name } }' })),
  variables: optional(
    described(text(20_000), 'Its variables, as the text of a JSON object.', { example: '{"first": 10}' }),
  ),
})

export const deleteSavedQueryInput = z.object({ name: queryName })

export const removeMemberInput = z.object({ personId })
