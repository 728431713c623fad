import type { PortalSection } from '../../../kernel/public-url.ts'
import type { MailTexts } from '../../../texts/en/mails.ts'
import type { Stoppable } from '../unsubscribe.ts'

/** What examples are made of: data of an affiliate and a program, as far as there is any. */
export type Example = {
  texts: MailTexts
  /** The name of an affiliate, and an amount that was earned. */
  name: string
  amount: string
  /** The address of the portal, and of the affiliate's link. */
  link: string
  affiliateUrl: string
  /** The day, the time and the month of the example, as they are written. */
  day: string
  time: string
  month: string
  /** A changed rate: the sentence of the change, what is earned now, and what was before. */
  news: { change: string; reward: string; before: string }
}

/**
 * A kind of mail: to whom it goes, what stops it, and what its values look like. Its text is in `src/texts`. The verb
 * that causes it composes it, or `notices.ts` if the clock does.
 */
export type Kind = {
  /** To whom it goes and when, as GraphQL describes it. */
  description: string
  /** Names that GraphQL had for it, in capitals. */
  earlierNames?: readonly string[]
  to: 'applicant' | 'affiliate' | 'managers' | 'person'
  /** What one click in the mail stops. Null: nothing does. */
  stop: Stoppable | null
  /** The part of the portal to which its button leads. */
  section?: PortalSection
  /** Whether no program can turn it off. */
  isAlwaysSent?: boolean
  /** Whether it is of no use without its link, so that an edited text has to have it. */
  needsLink?: boolean
  /** An example of each value in its text. `{{program}}` is known. */
  examples(example: Example): Readonly<Record<string, string>>
}
