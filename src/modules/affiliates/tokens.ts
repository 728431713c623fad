import { repeated } from '../../kernel/input/entries.ts'
import { problem } from '../../kernel/input/parse.ts'
import { tokenKey } from '../../kernel/link-tokens.ts'
import { inSlices } from '../../kernel/slices.ts'

export const tokenTaken = problem('token', 'is already in use.')

/**
 * Whether the token of each input is taken, by a row or an earlier input.
 * @param findByKeys finds the existing rows of the program with these token keys
 */
export async function areTokensTaken(
  inputs: readonly { token?: string | undefined }[],
  findByKeys: (keys: string[]) => Promise<{ tokenKey: string }[]>,
): Promise<boolean[]> {
  const keys = inputs.map(({ token }) => (token === undefined ? undefined : tokenKey(token)))
  const given = keys.filter((key) => key !== undefined)
  if (given.length === 0) return keys.map(() => false)
  const taken = new Set((await inSlices(given, findByKeys)).map((row) => row.tokenKey))
  const isRepeated = repeated(keys)
  return keys.map((key, index) => key !== undefined && (taken.has(key) || isRepeated[index] === true))
}
