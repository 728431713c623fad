/** What a redirect adds to the address it leads to. */
export type Added = { via?: string | undefined; referral?: string | undefined }

const ours = ['via', 'referral']

/**
 * Where a click leads: the campaign's address, its query and fragment kept to the letter, then what else the click
 * carried (`utm_source`, `gclid`, …), then `via` and `referral`. The campaign's own parameters win over the click's, and
 * nobody else's `via` or `referral` stays. Only the query is ever changed, so no click can lead to another origin.
 *
 * @param clicked the query of the click, with or without its question mark
 */
export function targetOf(campaignUrl: string, added: Added, clicked = ''): string {
  const url = new URL(campaignUrl)
  const kept = pairsOf(url.search).filter(({ name }) => !ours.includes(name))
  const taken = new Set([...ours, ...kept.map(({ name }) => name)])
  const carried = pairsOf(clicked).filter(({ name }) => !taken.has(name))
  const own = Object.entries(added)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
  url.search = [...kept.map(({ text }) => text), ...carried.map(({ text }) => text), ...own].join('&')
  return url.href
}

/** The parts of a query as they are written, each with the name that a server would read. */
function pairsOf(query: string): { name: string; text: string }[] {
  return query
    .replace(/^\?/, '')
    .split('&')
    .filter((text) => text !== '')
    .map((text) => ({ name: [...new URLSearchParams(text).keys()][0] ?? '', text }))
}
