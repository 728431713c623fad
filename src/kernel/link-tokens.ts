import { randomInt } from 'node:crypto'
import { slugOf } from './input/slug.ts'

const alphabet = 'abcdefghijkmnpqrstuvwxyz23456789'
const randomPart = (length: number) => Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('')

/** The form in which tokens are compared, and in which they are unique. */
export const tokenKey = (token: string) => token.toLowerCase()

/** "Ada", "Lovelace" becomes "ada-lovelace". If the name has no Latin letter or digit, the e-mail's local part is used. */
function baseToken(affiliate: { firstName?: string | null; lastName?: string | null; email: string }): string {
  const name = [affiliate.firstName, affiliate.lastName].filter(Boolean).join(' ')
  return slugOf(name) || slugOf(affiliate.email.split('@')[0] ?? '')
}

/**
 * Proposes tokens until one is free: first the name alone, then with random suffixes of growing length.
 *
 * @param reserved the keys of tokens that are not proposed
 */
export function* tokenProposals(
  affiliate: Parameters<typeof baseToken>[0],
  reserved?: ReadonlySet<string>,
): Generator<string> {
  const base = baseToken(affiliate)
  if (base && !reserved?.has(tokenKey(base))) yield base
  for (let attempt = 0; attempt < 4; attempt++) yield [base, randomPart(4 + attempt * 2)].filter(Boolean).join('-')
}
