/** The text of the address after `?`. It has texts only, so that `?reference=0123` stays what it is. */
export type Search = Record<string, string | undefined>

export const parseSearch = (text: string): Search => Object.fromEntries(new URLSearchParams(text))

export function stringifySearch(search: object): string {
  const given = Object.entries(search as Search).filter(([, value]) => value !== undefined && value !== '')
  const text = new URLSearchParams(given as [string, string][]).toString()
  return text && `?${text}`
}
