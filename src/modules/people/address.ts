import { domainToASCII } from 'node:url'
import { z } from 'zod'
import { emailKey } from '../../kernel/email.ts'
import type { Problem } from '../../kernel/errors.ts'
import { problem } from '../../kernel/input/parse.ts'

/**
 * The one form in which the address of a person is stored and compared: the key of e-mails, with the domain in ASCII,
 * because the sign-in library reads no other. The spellings of a mailbox are one account.
 */
export function personAddress(email: string): string {
  const key = emailKey(email)
  const at = key.lastIndexOf('@')
  const host = key.slice(at + 1)
  return at === -1 ? key : `${key.slice(0, at)}@${domainToASCII(host) || host}`
}

/** An account with an address that the sign-in library refuses could never be opened, so none is made. */
export const addressProblems = (field: string, email: string | undefined): Problem[] =>
  email === undefined || z.email().safeParse(personAddress(email)).success
    ? []
    : [
        problem(
          field,
          "cannot be used to sign in. Use an address with letters of English, digits and . _ - + ' before the @, and a full domain",
        ),
      ]
