/**
 * A request exactly as a client sends it, and the expected response. A name in braces stands for an id of the program
 * that it is sent to: `{affiliate}`, `{link}`, `{coupon}`, `{campaign}`, `{other}` (another campaign), `{commission}` (due),
 * `{void}` (a void one), `{payout}` (open).
 */
export type Sample = {
  name: string
  /** Method and path, below /v1. */
  send: string
  headers?: Record<string, string>
  body?: string
  /** Sends the body in chunks, without a content length. */
  chunked?: true
  /** The form of the Authorization header. The default is `Bearer`. */
  key?: 'basic' | 'basic without a colon' | 'bearer in lower case'
  status: number
  /** A subset of the response's body. */
  answer?: unknown
  /** A read that follows, and a subset of its body. */
  next?: [path: string, answer: unknown]
}

export const form = { 'Content-Type': 'application/x-www-form-urlencoded' }
export const json = { 'Content-Type': 'application/json' }
export const empty = { 'Content-Length': '0' }
