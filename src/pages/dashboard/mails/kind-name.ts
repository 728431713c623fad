import type { MailRowFragment } from '../../../generated/dashboard/mails/graphql.ts'
import { texts } from '../texts.ts'

const { kinds } = texts.mails

/** What people call a kind of mail. Answers have no deprecated kinds. */
export const kindName = (kind: MailRowFragment['kind']): string => kinds[kind as keyof typeof kinds]
