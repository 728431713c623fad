export type Added = { via?: string | undefined; referral?: string | undefined }

const reservedNames = ['via', 'referral']

/**
 * The campaign's URL with its query and fragment, then the click's other parameters (`utm_source`, `gclid`, …), then
 * `via` and `referral`. The campaign's parameters take precedence, and foreign `via` and `referral` are removed. Only
 * the query changes, so no click leads to another origin.
 * @param clickQuery the query of the click, with or without its question mark
 */
export function targetOf(campaignUrl: string, added: Added, clickQuery = ''): string {
  const url = new URL(campaignUrl)
  const fromCampaign = parametersOf(url.search).filter(({ name }) => !reservedNames.includes(name))
  const usedNames = new Set([...reservedNames, ...fromCampaign.map(({ name }) => name)])
  const fromClick = parametersOf(clickQuery).filter(({ name }) => !usedNames.has(name))
  const addedTexts = Object.entries(added)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
  url.search = [...[...fromCampaign, ...fromClick].map(({ text }) => text), ...addedTexts].join('&')
  return url.href
}

/** The parameters of a query with their original text, each with the decoded name that a server would read. */
function parametersOf(query: string): { name: string; text: string }[] {
  return query
    .replace(/^\?/, '')
    .split('&')
    .filter((text) => text !== '')
    .map((text) => ({ name: [...new URLSearchParams(text).keys()][0] ?? '', text }))
}
