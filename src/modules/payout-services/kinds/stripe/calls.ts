import { type Call, call, type Json, objectOf, type Reply, textOf } from '../../call.ts'
import type { Rate } from '../../pace.ts'
import { ServiceProblem } from '../../problem.ts'
import type { Access } from '../kind.ts'

const service = 'Stripe'

/** The version whose answers are read here: the first with Global Payouts in API v2 without a preview. */
const apiVersion = '2026-10-28.endive'

export type Credentials = {
  secretKey: string
  financialAccount?: string | undefined
  webhookSecret?: string | undefined
  payees?: string | undefined
}
export type Stripe = Access<Credentials>

/**
 * Stripe takes 100 calls in a second, and 25 in a sandbox. Fewer are sent, because calls arrive closer together.
 * Source: Stripe, "Rate limits", read in November 2026.
 */
const rateOf = ({ secretKey }: Credentials): Rate => ({ calls: /^[rs]k_test_/.test(secretKey) ? 23 : 95, seconds: 1 })

type Request = {
  method: Call['method']
  path: string
  /** Of API v2. */
  body?: object
  /** Of API v1. */
  form?: Readonly<Record<string, string>>
  idempotencyKey?: string
}

export function ofStripe(access: Stripe, { method, path, body, form, idempotencyKey }: Request): Promise<Reply> {
  const headers = {
    authorization: `Bearer ${access.credentials.secretKey}`,
    'stripe-version': apiVersion,
    ...(body && { 'content-type': 'application/json' }),
    ...(form && { 'content-type': 'application/x-www-form-urlencoded' }),
    ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
  }
  const url = `${access.url}${path}`
  const text = form ? new URLSearchParams(form).toString() : body && JSON.stringify(body)
  const rate = rateOf(access.credentials)
  return call({ service, rate, method, url, headers, ...(text !== undefined && { body: text }) })
}

/** "insufficient_funds: The financial account has not enough." */
export function wordsOf(body: Json): string {
  const { code, message, type } = objectOf(body.error)
  return [textOf(code) ?? textOf(type), textOf(message)].filter(Boolean).join(': ')
}

export const codeOf = (body: Json): string => textOf(objectOf(body.error).code) ?? ''

export function refusedBy(body: Json, status: number): ServiceProblem {
  if (status === 403)
    return new ServiceProblem(
      'unauthorized',
      `Stripe does not allow it for this key: ${wordsOf(body) || 'status 403'}. Give the restricted key the rights that docs/payouts.md names.`,
      { body },
    )
  return new ServiceProblem('refused', `Stripe refuses it: ${wordsOf(body) || `status ${status}`}`, { body })
}
