import { randomInt } from 'node:crypto'
import { spelled } from './input/spelled.ts'

const alphabet = 'abcdefghijkmnpqrstuvwxyz23456789'
const randomPart = (length: number) => Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('')

/** What is unique and what is compared. */
export const tokenKey = (token: string) => token.toLowerCase()

/** "Ada", "Lovelace" reads "ada-lovelace"; without a name that can be spelled in a token, the e-mail's local part. */
function baseToken(affiliate: { firstName?: string | null; lastName?: string | null; email: string }): string {
  const name = [affiliate.firstName, affiliate.lastName].filter(Boolean).join(' ')
  return spelled(name) || spelled(affiliate.email.split('@')[0] ?? '')
}

/** Tokens to try in turn: the name alone, then with a random ending, so that one of them is free. */
export function* tokenProposals(affiliate: Parameters<typeof baseToken>[0]): Generator<string> {
  const base = baseToken(affiliate)
  if (base) yield base
  for (let attempt = 0; attempt < 4; attempt++) yield [base, randomPart(4 + attempt * 2)].filter(Boolean).join('-')
}
