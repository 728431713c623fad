import { knownLinkParameters } from '../../kernel/link-parameters.ts'
import { storage } from './storage.ts'

/** What the address of a page brought: a link's token, a referral of another domain, or both. */
export type Arrival = {
  via: string
  referral: string
  url: string
  referrer: string
  /** A parameter of another service that named the link. Only the service knows whether the program reads it. */
  parameter?: string | undefined
  /** What an agent said that handed the customer over. */
  agent?: string | undefined
}

/** The name that the protocol of agents has for it. */
export const agentParameter = 'affiliate_attribution'

const waitingName = 'tributary_arrival'

/** Null if the address brings nothing. */
export function readArrival(parameters: readonly string[]): Arrival | null {
  const query = new URLSearchParams(location.search)
  const first = (names: readonly string[]) => names.find((name) => query.get(name))
  const own = first(parameters)
  const parameter = own ? undefined : first(knownLinkParameters)
  const via = query.get(own || parameter || '') || ''
  const referral = query.get('referral') || ''
  const agent = query.get(agentParameter) || undefined
  const from = { url: location.href, referrer: document.referrer }
  return via || referral || agent ? { via, referral, ...from, parameter, agent } : null
}

/** Keeps an arrival in session storage until there is consent; null removes it. */
export const keepArrival = (arrival: Arrival | null) =>
  storage('sessionStorage', waitingName, arrival && JSON.stringify(arrival))

export function keptArrival(): Arrival | null {
  const kept = storage('sessionStorage', waitingName)
  try {
    return kept ? (JSON.parse(kept) as Arrival) : null
  } catch {
    return null
  }
}

/** Calls back after each change of the address that loads no page, as in single-page apps. */
export function onRoute(changed: () => void): void {
  const later = () => void setTimeout(changed)
  addEventListener('popstate', later)
  try {
    for (const name of ['pushState', 'replaceState'] as const) {
      const original = history[name]
      history[name] = function (this: History, ...args: Parameters<History['pushState']>) {
        const result = original.apply(this, args)
        later()
        return result
      }
    }
  } catch {}
}

/**
 * Removes the referral and what an agent said from the address, so that a shared link does not attribute others to this
 * visitor's referral.
 */
export function removeFromAddress(): void {
  try {
    const { search, pathname, hash } = location
    const rest = search
      .slice(1)
      .split('&')
      .filter((pair) => !/^(referral|affiliate_attribution)(=|$)/.test(pair))
      .join('&')
    history.replaceState(history.state, '', pathname + (rest && `?${rest}`) + hash)
  } catch {}
}
