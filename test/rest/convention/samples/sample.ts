/**
 * A request as a client puts it on the wire, and what has to come of it. A name in braces stands for an id of the program
 * it is sent to: `{affiliate}`, `{link}`, `{coupon}`, `{campaign}`, `{other}` (another campaign), `{commission}` (due),
 * `{void}` (a void one), `{payout}` (open).
 */
export type Sample = {
  name: string
  /** Method and path, below /v1. */
  send: string
  headers?: Record<string, string>
  body?: string
  /** Sent in chunks, so that nobody knows beforehand how long the body is. */
  chunked?: true
  /** How the key is given; `Bearer` unless it says otherwise. */
  key?: 'basic' | 'basic without a colon' | 'bearer in lower case'
  status: number
  /** What is in the answer, at least. */
  answer?: unknown
  /** What the next read has to say. */
  next?: [path: string, answer: unknown]
}

export const form = { 'Content-Type': 'application/x-www-form-urlencoded' }
export const json = { 'Content-Type': 'application/json' }
export const empty = { 'Content-Length': '0' }
