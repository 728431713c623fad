import { domainToASCII } from 'node:url'
import freeEmailDomains from 'free-email-domains'
import { getDomain } from 'tldts'
import type { HeldReason } from '../../generated/prisma/enums.ts'

/**
 * Checks whether a customer is the affiliate or belongs to the affiliate's company. The affiliate is recognized by the same
 * mailbox, in any spelling of the address; the company by the same registrable domain, unless it belongs to a mail
 * provider.
 *
 * @returns the reason if it is a self-referral, else null
 */
export function findSelfReferral(affiliateEmail: string, customerEmail: string): HeldReason | null {
  const [affiliate, customer] = [mailboxOf(affiliateEmail), mailboxOf(customerEmail)]
  if (affiliate.name === customer.name && affiliate.domain === customer.domain) return 'self_referral_email'
  const company = companyOf(affiliate.domain)
  return company !== null && company === companyOf(customer.domain) ? 'self_referral_domain' : null
}

/** Domains of one provider that deliver to the same mailbox. */
const domainAliases: Record<string, string> = {
  'googlemail.com': 'gmail.com',
  'mac.com': 'icloud.com',
  'me.com': 'icloud.com',
  'pm.me': 'proton.me',
  'protonmail.ch': 'proton.me',
  'protonmail.com': 'proton.me',
  'ya.ru': 'yandex.ru',
  'yandex.by': 'yandex.ru',
  'yandex.com': 'yandex.ru',
  'yandex.kz': 'yandex.ru',
}

/** Characters that a provider ignores in the name of a mailbox. */
const ignoredCharacters: Record<string, RegExp> = { 'gmail.com': /\./g, 'proton.me': /[._-]/g }

/**
 * The mailbox that an address delivers to. Case and a tag after "+" are ignored.
 *
 * validator's normalizeEmail does not fit: it keeps tags for all but three providers, and for Yahoo it reads every name
 * with a hyphen as a tagged one.
 */
function mailboxOf(email: string): { name: string; domain: string } {
  const [, local = '', host = ''] = /^(.*)@(.*)$/s.exec(email.trim().toLowerCase().normalize('NFC')) ?? []
  const ascii = domainToASCII(host.replace(/\.$/, ''))
  const domain = domainAliases[ascii] ?? ascii
  // A name that starts with "+" has nothing before the tag, so it is kept.
  const name = local.replace(/(?<=.)\+.*$/s, '').replace(ignoredCharacters[domain] ?? '', '')
  return { name, domain }
}

/** Free mail providers that the package's list lacks. */
const moreFreeDomains = ['appleid.com', 'hey.com', 'mailbox.org', 'passmail.net', 'tuta.com', 'tutamail.com']
const freeDomains: ReadonlySet<string> = new Set([...freeEmailDomains, ...moreFreeDomains])

/**
 * The domain that identifies an organisation: the registrable domain below a public suffix, or below a host where anyone
 * can register names (github.io, uk.com). Null for free mail providers and for domains that cannot be registered.
 */
function companyOf(domain: string): string | null {
  const registered = getDomain(domain, { allowPrivateDomains: true })
  return registered === null || freeDomains.has(registered) || freeDomains.has(domain) ? null : registered
}
