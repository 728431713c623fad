import { domainToASCII, domainToUnicode } from 'node:url'

const isPlain = (text: string) => /^[!-~]*$/.test(text) && !text.includes('xn--')

/** Letters in one form: composed, of normal width, lower case, without invisible characters, with one form of sigma. */
const folded = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .toLowerCase()
    .normalize('NFKC')
    .replaceAll('ς', 'σ')
    .trim()

/** A host in one form, from Unicode or ASCII (`xn--`). A host that is not a domain is only folded. */
function hostKey(host: string): string {
  const unicode = folded(domainToUnicode(host)) || host
  return (domainToUnicode(domainToASCII(unicode)) || unicode).replaceAll('ς', 'σ')
}

/** The form in which e-mails are compared and unique. The domain keeps its letters, so that it can be searched. */
export function emailKey(email: string): string {
  const text = folded(email)
  const at = text.lastIndexOf('@')
  if (at === -1) return text
  const host = text.slice(at + 1).replace(/\.$/, '')
  return `${text.slice(0, at)}@${isPlain(host) ? host : hostKey(host)}`
}
