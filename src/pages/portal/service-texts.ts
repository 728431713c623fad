import type { Rejection, ServiceProblem } from './query.ts'
import { texts } from './texts.ts'

/** What is wrong with a value, in the person's language. Without a text for its code, it is in English. */
export function problemText({ code, limit, message }: ServiceProblem): string {
  const { forms, links, problems } = texts
  switch (code) {
    case 'BLANK':
      return problems.blank
    case 'TOO_LONG':
      return problems.tooLong(Number(limit))
    case 'NOT_AN_EMAIL':
      return forms.notEmail
    case 'NOT_A_URL':
      return forms.notUrl
    case 'NOT_AN_IBAN':
      return problems.iban
    case 'NOT_A_BIC':
      return problems.bic
    case 'NOT_A_TOKEN':
      return problems.token
    case 'NOT_A_SUB_ID':
      return links.notSub
    case 'TAKEN':
      return problems.taken
    case 'OTHER_SITE':
      return links.otherSite(String(limit))
    default:
      return message
  }
}

/** Why the service refused something that is right in itself. */
export function refusalText({ reason, message }: Rejection): string {
  const { failures, problems } = texts
  switch (reason) {
    case 'TOO_MANY_LINKS':
      return problems.tooManyLinks
    case 'TOO_MANY_CHANGES':
      return problems.tooManyChanges
    case 'AFFILIATE_NOT_ACTIVE':
      return failures.disabled
    default:
      return message
  }
}
