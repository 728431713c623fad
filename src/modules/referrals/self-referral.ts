import { domainToASCII, domainToUnicode } from 'node:url'
import freeEmailDomains from 'free-email-domains'
import { getDomain } from 'tldts'
import type { Affiliate } from '../../generated/prisma/client.ts'
import type { HeldReason } from '../../generated/prisma/enums.ts'
import { emailKey } from '../../kernel/email.ts'

export type AffiliateAddresses = Pick<Affiliate, 'email' | 'paypalEmail' | 'wiseEmail'>

/**
 * Whether a customer is the affiliate (the same mailbox as the e-mail or a payout address, in any spelling, or one that
 * looks the same) or of the affiliate's company (the same registrable domain as the e-mail, unless a mail provider's).
 * @returns the reason if it is a self-referral, else null
 */
export function findSelfReferral(
  { email, paypalEmail, wiseEmail }: AffiliateAddresses,
  customerEmail: string,
): HeldReason | null {
  const customer = mailboxOf(customerEmail)
  const own = [email, paypalEmail, wiseEmail].flatMap((address) => (address ? [mailboxOf(address)] : []))
  if (own.some(({ name, domain }) => name === customer.name && domain === customer.domain)) return 'self_referral_email'
  const company = companyOf(mailboxOf(email).domain)
  if (company !== null && company === companyOf(customer.domain)) return 'self_referral_domain'
  return own.some((mailbox) => looksOf(mailbox) === looksOf(customer)) ? 'self_referral_lookalike' : null
}

/** Letters of other scripts that look like a Latin one. Keys of e-mails are in lower case. */
const lookalikes = new Map(
  Object.entries({
    a: 'аαɑ',
    b: 'ьƅ',
    c: 'сϲⅽ',
    d: 'ԁⅾ',
    e: 'еҽє',
    f: 'ƒϝ',
    g: 'ɡց',
    h: 'һհ',
    i: 'іιıɩӏ',
    j: 'јϳ',
    k: 'кκ',
    l: 'ⅼ',
    m: 'мⅿ',
    n: 'пոη',
    o: 'оοσօ',
    p: 'рρ',
    q: 'ԛգ',
    r: 'гᴦ',
    s: 'ѕꜱ',
    t: 'тτ',
    u: 'υսʋ',
    v: 'ѵνⅴ',
    w: 'ԝωա',
    x: 'хχ',
    y: 'уүγ',
    z: 'ᴢ',
  }).flatMap(([latin, others]) => [...others].map((other): [string, string] => [other, latin])),
)

/** What a mailbox looks like. Two that look the same need not be one person's. */
const looksOf = ({ name, domain }: Mailbox): string =>
  [...`${name}@${domainToUnicode(domain)}`].map((letter) => lookalikes.get(letter) ?? letter).join('')

type Mailbox = { name: string; domain: string }

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

/** The mailbox of an address, without case and tag. validator's normalizeEmail keeps most tags. */
function mailboxOf(email: string): Mailbox {
  const [, local = '', host = ''] = /^(.*)@(.*)$/s.exec(emailKey(email)) ?? []
  const ascii = domainToASCII(host)
  const domain = domainAliases[ascii] ?? ascii
  // A name that starts with "+" has nothing before the tag, so it is kept.
  const name = local.replace(/(?<=.)\+.*$/s, '').replace(ignoredCharacters[domain] ?? '', '')
  return { name, domain }
}

/** Free mail providers that the package's list lacks. */
const moreFreeDomains = ['appleid.com', 'hey.com', 'mailbox.org', 'passmail.net', 'tuta.com', 'tutamail.com']
/** Names of examples belong to nobody (RFC 2606). */
const reservedDomains = ['example.com', 'example.net', 'example.org']
const freeDomains: ReadonlySet<string> = new Set([...freeEmailDomains, ...moreFreeDomains, ...reservedDomains])

/** The domain of an organisation, below a public suffix or an open host. Null for free mail providers. */
function companyOf(domain: string): string | null {
  const registered = getDomain(domain, { allowPrivateDomains: true })
  return registered === null || freeDomains.has(registered) || freeDomains.has(domain) ? null : registered
}
