import { z } from 'zod'
import {
  clearable,
  described,
  email,
  flag,
  instant,
  oneOf,
  optional,
  reference,
  required,
  text,
  unchangedIfAbsent,
  url,
  wholeNumber,
} from '../../kernel/input/fields.ts'
import { language } from '../../kernel/input/language.ts'
import { listed, references, several } from '../../kernel/input/lists.ts'
import { wireOf, withWire } from '../../kernel/input/wire.ts'

const mostAtOnce = 100
export const longestValue = 2_000

/** A name of a field in requests: the names of the fields that every application has are taken. */
const fieldName = () => {
  const message = 'may hold lower-case letters, digits and underscores, and starts with a letter'
  const taken = ['email', 'first_name', 'last_name', 'campaign_id', 'accepts_terms', 'invitation', 'invited_by']
  return withWire(
    text(50).refine((name) => /^[a-z][a-z0-9_]*$/.test(name) && !taken.includes(name), { error: message }),
    wireOf(text(50)),
  )
}

export const joinFieldTypes = ['text', 'url', 'choice'] as const
export const joinDecisions = ['approve', 'reject'] as const

export const joinFieldInput = z.object({
  name: required(described(fieldName(), 'How requests call it: `audience`.')),
  label: required(described(text(200), 'What the page calls it.')),
  type: optional(described(oneOf('JoinFieldType', joinFieldTypes), 'What is entered.', { default: 'TEXT' })),
  isRequired: optional(described(flag(), 'Whether it has to be filled in.', { default: false })),
  choices: optional(described(several(text(200), 50), 'The values of a `CHOICE`.')),
})

export const joinRuleInput = z.object({
  decision: required(described(oneOf('JoinDecision', joinDecisions), 'What happens to the application.')),
  reason: required(described(text(500), 'Why. It is kept with the application, and mailed to who is rejected.')),
  emailDomains: optional(described(several(text(253), 500), 'The e-mail is of one of these domains.')),
  isDisposable: optional(described(flag(), 'Whether the e-mail is of a provider of disposable addresses.')),
  isInvited: optional(described(flag(), 'Whether the program has invited the e-mail.')),
  isInvitedByAffiliate: optional(described(flag(), 'Whether the link of an affiliate led to the page.')),
  field: optional(described(text(50), 'The name of one of the fields, whose value is one of `values`.')),
  values: optional(described(several(text(200), 100), 'The values of `field`, compared without regard to case.')),
})

const hexColor = () =>
  withWire(
    text(7).refine((value) => /^#[0-9a-f]{6}$/i.test(value), { error: 'must be a colour such as #1f5eff' }),
    wireOf(text(7)),
  )

/**
 * An address whose host is in the Content-Security-Policy of pages. A comma or a semicolon, which hosts can have, would
 * begin another directive there. Text that is no address has its own problem.
 */
const policyUrl = () =>
  url().refine((value) => !URL.canParse(value) || /^[\w.:[\]-]+$/.test(new URL(value).host), {
    error: 'must have a host of letters, digits, dashes and dots',
  })

const origin = () =>
  withWire(
    policyUrl().refine((value) => !URL.canParse(value) || new URL(value).origin === value, {
      error: 'must be an origin such as https://acme.com',
    }),
    wireOf(url()),
  )

const secureUrl = () =>
  withWire(
    policyUrl().refine((value) => value.startsWith('https://'), { error: 'must start with https://' }),
    wireOf(url()),
  )

export const updateJoinSettingsInput = z.object({
  isOpen: unchangedIfAbsent(described(flag(), 'Whether people can apply.')),
  origins: unchangedIfAbsent(
    described(
      several(origin(), 50, 0),
      'The origins whose pages may send applications to `/join/{program}`, and show it and the portal in a frame.',
    ),
  ),
  fields: unchangedIfAbsent(
    described(listed('JoinFieldInput', joinFieldInput, 30), 'What is asked beside the e-mail and the name, in order.'),
  ),
  rules: unchangedIfAbsent(
    described(
      listed('JoinRuleInput', joinRuleInput, 50),
      'Decide applications whose e-mail is confirmed. The first rule whose conditions all hold decides; what no rule decides waits for a person.',
    ),
  ),
  mailsManagers: unchangedIfAbsent(
    described(
      flag(),
      'Whether owners and managers get a mail when new applications wait, once a day at 07:00 in the time zone of the program.',
    ),
  ),
  applicationsPerMinute: unchangedIfAbsent(
    described(
      wholeNumber(1, 1_000),
      'How many applications one network address can send in a minute. People in one room often share an address.',
    ),
  ),
  text: clearable(described(text(5_000), 'Above the form, as plain text. Empty lines separate paragraphs.')),
  logoUrl: clearable(described(secureUrl(), 'An image above the form, and in the portal.')),
  color: clearable(
    described(
      hexColor(),
      'The colour of the button, and of the portal, as `#rrggbb`. Text on it is black or white, whichever has more contrast.',
    ),
  ),
})

export const publishTermsInput = z.object({
  text: required(described(text(100_000), 'The terms, as plain text.')),
  from: optional(described(instant(), 'When they begin to hold. Default: now.')),
  requiredFrom: optional(
    described(
      instant(),
      'From when new commissions of affiliates who have not accepted them are held, until they do. Not before `from`. Default: never.',
    ),
  ),
  dryRun: optional(
    described(flag(), 'Whether nothing is published and no mail is written: `recipients` says how many would be.'),
  ),
})

export const acceptTermsInput = z.object({
  version: required(
    described(
      wholeNumber(1, 1_000_000),
      'The version of the terms that the affiliate has read: the one that holds now.',
    ),
  ),
})

const firstName = described(text(100), 'Given name.', { example: 'Ada' })
const lastName = described(text(100), 'Family name.', { example: 'Lovelace' })

export const applicationFieldInput = z.object({
  name: required(described(text(50), 'The name of one of the fields of the program.')),
  value: required(described(text(longestValue), 'What was entered.')),
})

export const applyInput = z.object({
  email: required(described(email(), 'The e-mail of the applicant. A mail with a link confirms it.')),
  firstName: optional(firstName),
  lastName: optional(lastName),
  campaignId: optional(
    described(
      reference(),
      'The campaign to join. A private one only with `invitation`. Default: the default campaign.',
    ),
  ),
  invitation: optional(
    described(text(100), 'What the link of an invitation to a private campaign has as `invitation`.'),
  ),
  invitedBy: optional(
    described(text(200), 'The token of the affiliate whose invitation link was used. Other text is ignored.'),
  ),
  fields: optional(described(listed('ApplicationFieldInput', applicationFieldInput, 30), "The program's own fields.")),
  language: optional(
    described(
      language(),
      'The language of the mails: en, de, fr, es, pt or ja. Default: that of the locale of the program.',
    ),
  ),
  acceptsTerms: optional(
    described(flag(), 'Whether the applicant accepts the present terms. Required if the program has terms.'),
  ),
})

const ids = described(references(mostAtOnce), `1 to ${mostAtOnce} applications. All or none are decided.`)

export const approveApplicationsInput = z.object({
  ids: required(ids),
  campaignId: optional(
    described(reference(), 'The campaign of the new affiliates. Default: the one that they applied to.'),
  ),
})

export const rejectApplicationsInput = z.object({
  ids: required(ids),
  reason: optional(described(text(500), 'Why. It is kept, and part of the mail.')),
  notify: optional(described(flag(), 'Whether the applicants get a mail.', { default: true })),
})

export const inviteApplicantsInput = z.object({
  emails: required(described(several(email(), mostAtOnce), `1 to ${mostAtOnce} addresses.`)),
  campaignId: optional(
    described(
      reference(),
      'The campaign that they can join. The link opens a private one for its e-mail alone. Default: the default campaign.',
    ),
  ),
})
