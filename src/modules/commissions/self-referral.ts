import { domainToASCII } from 'node:url'
import freeEmailDomains from 'free-email-domains'
import { getDomain } from 'tldts'
import type { HeldReason } from '../../generated/prisma/enums.ts'

/**
 * Whether a customer is the affiliate itself, or of its company: the same mailbox, however the address is spelled, else
 * the same registrable domain where that belongs to one organisation. Sharing a mail provider says nothing.
 *
 * @returns why it is a self-referral, or null where nothing speaks for it
 */
export function findSelfReferral(affiliateEmail: string, customerEmail: string): HeldReason | null {
  const [affiliate, customer] = [mailboxOf(affiliateEmail), mailboxOf(customerEmail)]
  if (affiliate.name === customer.name && affiliate.domain === customer.domain) return 'self_referral_email'
  const company = companyOf(affiliate.domain)
  return company !== null && company === companyOf(customer.domain) ? 'self_referral_domain' : null
}

/** Domains of one provider under which a person has the same mailbox. */
const otherNames: Record<string, string> = {
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

/** What a provider does not look at in the name of a mailbox. */
const unread: Record<string, RegExp> = { 'gmail.com': /\./g, 'proton.me': /[._-]/g }

/**
 * The mailbox that an address reaches: case and a tag after "+" never make another one.
 *
 * Not validator's normalizeEmail, which keeps tags at all but three providers, and at Yahoo takes every name with a
 * hyphen for a tagged one.
 */
function mailboxOf(email: string): { name: string; domain: string } {
  const [, local = '', written = ''] = /^(.*)@(.*)$/s.exec(email.trim().toLowerCase().normalize('NFC')) ?? []
  const ascii = domainToASCII(written.replace(/\.$/, ''))
  const domain = otherNames[ascii] ?? ascii
  // What starts with "+" has no name before the tag: it is the name.
  const name = local.replace(/(?<=.)\+.*$/s, '').replace(unread[domain] ?? '', '')
  return { name, domain }
}

/** Providers that the list does not know, whose mailboxes belong to anybody. */
const alsoFree = ['appleid.com', 'hey.com', 'mailbox.org', 'passmail.net', 'tuta.com', 'tutamail.com']
const freeDomains: ReadonlySet<string> = new Set([...freeEmailDomains, ...alsoFree])

/**
 * The domain that stands for an organisation: what it registered, below the public suffix or below a host that gives
 * names to anybody (github.io, uk.com). Null for free mail, and for what can not be registered.
 */
function companyOf(domain: string): string | null {
  const registered = getDomain(domain, { allowPrivateDomains: true })
  return registered === null || freeDomains.has(registered) || freeDomains.has(domain) ? null : registered
}
