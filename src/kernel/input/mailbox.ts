import { z } from 'zod'

/** What is written around an address, or several addresses, in other forms than the one that is stored. */
const foreign = /[^\u0020-\u007e\u00a0-\u{10ffff}]|[\s"%]|[\u202a-\u202e\u2066-\u2069]/u

/**
 * Whether a text is one address and nothing else: `ada@example.com`, no `Ada <ada@example.com>`, no group, no host in
 * brackets. Letters of all languages are allowed on both sides (RFC 6531); the rest is that of HTML's e-mail fields.
 */
export function isMailbox(text: string): boolean {
  const address = text.normalize('NFKC')
  const at = address.lastIndexOf('@')
  const [local, host] = [address.slice(0, at), address.slice(at + 1).replace(/\.$/, '')]
  if (!text.includes('@') || local.length > 64 || foreign.test(local.replaceAll('%', '')) || foreign.test(host))
    return false
  const ascii = /^[!-~]*$/.test(host) ? host : asciiOf(host)
  return z.regexes.html5Email.test(`${local.replace(/[^!-~]/gu, 'x')}@${ascii}`)
}

/** Browsers check addresses, too, so this is done by `URL`. */
const asciiOf = (host: string): string => {
  const url = `http://${host}`
  return !/[/?#:@\\]/.test(host) && URL.canParse(url) ? new URL(url).hostname : ''
}

/** Whether a spreadsheet or a command line reads the address as something else. No mailbox of a person begins so. */
export const beginsAsFormula = (email: string): boolean => /^[=-]/.test(email.normalize('NFKC'))
