/** The settings in the script's tag. The attributes of the convention are accepted too. */
export type Settings = {
  key: string
  /** The address of the endpoints, with a slash at the end. */
  base: string
  /** Parameters of the page's address that name an affiliate's link. */
  parameters: readonly string[]
  /** Other domains that links carry the referral to. */
  domains: readonly string[]
  /** Whether nothing is sent or stored before the page calls `consent`. */
  needsConsent: boolean
  /** Whether the link's token waits for consent in session storage, so that it survives a change of the page. */
  waitsInSession: boolean
  /** Whether the page uses the functions and objects of the convention. */
  isConvention: boolean
  /** Whether the page wants to know the affiliate and the campaign. */
  wantsAffiliate: boolean
}

/** Null if the tag has no key: then there is nothing to do. */
export function readSettings({ dataset, src }: HTMLScriptElement): Settings | null {
  const { key = dataset.rewardful, endpoint, consent, domains, params = dataset.rewardfulParams } = dataset
  if (!key) return null
  // Under another name too, the script is in the folder of the service.
  const base = endpoint ? new URL(endpoint, document.baseURI) : new URL('track/', src)
  const isConvention = dataset.rewardful !== undefined
  return {
    key,
    base: base.href.replace(/\/?(\?.*)?$/, '/'),
    parameters: ['via', ...namesIn(params)],
    domains: namesIn(domains).map((name) => name.toLowerCase()),
    needsConsent: consent !== undefined,
    waitsInSession: consent === 'session',
    isConvention,
    wantsAffiliate: isConvention || dataset.affiliate !== undefined,
  }
}

const namesIn = (list = ''): string[] =>
  list
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean)
