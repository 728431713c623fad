import type { MailKind, MailState } from '../../generated/prisma/enums.ts'
import { defineEnum } from '../../graphql/enums.ts'
import { kinds } from './kinds/all.ts'

const described = Object.entries(kinds) as [MailKind, (typeof kinds)[MailKind]][]

export const MailKindEnum = defineEnum(
  'MailKind',
  'What mails are about.',
  Object.fromEntries(described.map(([kind, { description }]) => [kind, description])) as Record<MailKind, string>,
  Object.fromEntries(described.flatMap(([kind, { earlierNames = [] }]) => earlierNames.map((name) => [name, kind]))),
)

export const MailStateEnum = defineEnum('MailState', 'The states of mails.', {
  pending: 'It waits for its first or its next attempt, or for a mail server (`SMTP_URL`).',
  sent: 'The mail server accepted it.',
  failed: 'It was not accepted, and is not tried again.',
  stopped: 'It is not sent, because the address gets no mail: it bounced, or its person complained.',
} satisfies Record<MailState, string>)
