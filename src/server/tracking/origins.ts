import { type Answer, emptyAnswer } from '../../http/answer.ts'
import type { Incoming } from '../../http/incoming.ts'

/** The origins whose pages may use the tracking endpoints: all, or a list. */
export type Origins = '*' | readonly string[]

/** Requests without an Origin header do not come from a page, and the service's own pages are always allowed. */
export function isAllowed(origins: Origins, incoming: Incoming): boolean {
  const origin = incoming.header('origin')
  if (origins === '*' || origin === null || origins.includes(origin)) return true
  return URL.canParse(origin) && new URL(origin).host === hostOf(incoming)
}

/** As a URL has it: without the default port. */
const hostOf = (incoming: Incoming): string => new URL(incoming.toRequest().url).host

/** Adds CORS headers without credentials: pages of other origins get no cookies. */
export function withCors(answer: Answer, origins: Origins, incoming: Incoming): Answer {
  const { headers } = answer
  const origin = incoming.header('origin')
  headers['Cross-Origin-Resource-Policy'] = 'cross-origin'
  headers['Cache-Control'] = 'no-store'
  if (origins === '*') headers['Access-Control-Allow-Origin'] = '*'
  else {
    headers.Vary = 'Origin'
    if (origin !== null && origins.includes(origin)) headers['Access-Control-Allow-Origin'] = origin
  }
  headers['Access-Control-Expose-Headers'] = 'Retry-After, X-Request-Id'
  return answer
}

export const preflight = (): Answer =>
  emptyAnswer(204, {
    'Access-Control-Allow-Methods': 'POST',
    'Access-Control-Allow-Headers': 'Content-Type',
    'Access-Control-Max-Age': '86400',
  })
