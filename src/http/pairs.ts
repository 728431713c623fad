import { TributaryError } from '../kernel/errors.ts'

/** How many fields a form or a query may have; each value of a list is one. */
const maxPairs = 2_000

/** Parses a form or a query. @throws BAD_REQUEST for more than `maxPairs` fields */
export function readPairs(text: string): URLSearchParams {
  let pairs = 1
  for (let at = text.indexOf('&'); at !== -1; at = text.indexOf('&', at + 1)) pairs += 1
  if (pairs > maxPairs) {
    throw new TributaryError('BAD_REQUEST', `A form or a query may have ${maxPairs.toLocaleString('en')} fields.`)
  }
  return new URLSearchParams(text)
}
