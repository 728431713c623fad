import { randomInt } from 'node:crypto'
import { repeated } from '../../kernel/input/entries.ts'
import { problem } from '../../kernel/input/parse.ts'
import { slugOf } from '../../kernel/input/slug.ts'
import { inSlices } from '../../kernel/slices.ts'
import { tokenKey } from './tokens.ts'

export const tokenTaken = problem('token', 'is already in use.', 'taken')

/** Whether the token of each input is taken, by a row or an earlier input. @param findByKeys finds the rows */
export async function areTokensTaken(
  inputs: readonly { token?: string | undefined }[],
  keyOf: (token: string) => string,
  findByKeys: (keys: string[]) => Promise<{ tokenKey: string }[]>,
): Promise<boolean[]> {
  const keys = inputs.map(({ token }) => (token === undefined ? undefined : keyOf(token)))
  const given = keys.filter((key) => key !== undefined)
  if (given.length === 0) return keys.map(() => false)
  const taken = new Set((await inSlices(given, findByKeys)).map((row) => row.tokenKey))
  const isRepeated = repeated(keys)
  return keys.map((key, index) => key !== undefined && (taken.has(key) || isRepeated[index] === true))
}

const alphabet = 'abcdefghijkmnpqrstuvwxyz23456789'
const randomPart = (length: number) => Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('')

/** "Ada", "Lovelace" becomes "ada-lovelace". Without Latin letters or digits: the e-mail's local part. */
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
