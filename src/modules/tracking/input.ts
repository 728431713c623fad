import { z } from 'zod'
import { described, optional, reference, required, text } from '../../kernel/input/fields.ts'
import { recordLeadInput, recordVisitInput } from '../referrals/input.ts'

/** Longer URLs are cut off, so that no visit is rejected because of its URL. */
const maximumStoredLength = 2_048

const visitedUrl = () => text(16_384)

export const trackVisitInput = z.object({
  token: recordVisitInput.shape.token,
  url: optional(described(visitedUrl(), 'The URL of the visited page.')),
  referrer: optional(described(visitedUrl(), 'The URL of the page that the visitor came from.')),
  sub: optional(described(text(), 'Where the affiliate used the link. Default: `sub` of the URL.')),
  visitor: optional(described(text(), 'A random id that the browser generated for itself.')),
})

export const takeOverInput = z.object({
  referralId: required(described(reference(), 'A referral that was created on another domain.')),
})

export const trackLeadInput = recordLeadInput.pick({ referralId: true, email: true, name: true })

/** The stored part of a URL: no query, fragment or credentials, which may hold personal data. */
export function pageOf(url: string | undefined): string | null {
  if (url === undefined || !URL.canParse(url)) return null
  const { protocol, host, pathname } = new URL(url)
  return /^https?:$/.test(protocol) ? `${protocol}//${host}${pathname}`.slice(0, maximumStoredLength) : null
}
