import type { ApplicationState } from '../../generated/prisma/enums.ts'
import { defineEnum } from '../../graphql/enums.ts'
import type { joinDecisions, joinFieldTypes } from './input.ts'

export const ApplicationStateEnum = defineEnum('ApplicationState', 'The states of applications.', {
  applied: 'It waits for a decision.',
  approved: 'The applicant is an affiliate.',
  rejected: 'The applicant was rejected.',
  expired: 'The e-mail was not confirmed within two days, nobody decided within 90, or the person applied again.',
  suspected_spam:
    'A field of the form that people do not see was filled in, so a program may have sent it. The e-mail is not confirmed, and no mail was sent. It waits for a person, who approves or rejects it.',
} satisfies Record<ApplicationState, string>)

export const JoinFieldTypeEnum = defineEnum('JoinFieldType', 'What is entered into a field of an application.', {
  text: 'Any text.',
  url: 'An address that starts with http:// or https://.',
  choice: 'One of `choices`.',
} satisfies Record<(typeof joinFieldTypes)[number], string>)

export const JoinDecisionEnum = defineEnum('JoinDecision', 'What a rule does with an application.', {
  approve: 'The applicant becomes an affiliate.',
  reject: 'The applicant is rejected, and gets a mail with the reason.',
} satisfies Record<(typeof joinDecisions)[number], string>)
