import type { Payout } from '../../generated/prisma/client.ts'
import type { PayoutMethod } from '../../generated/prisma/enums.ts'
import type { Problem } from '../../kernel/errors.ts'
import { generic } from './generic.ts'
import { manual } from './manual.ts'
import type { Method } from './method.ts'
import { paypal } from './paypal/paypal.ts'
import { sepa } from './sepa/sepa.ts'
import { stripe } from './stripe/stripe.ts'
import { wise } from './wise/wise.ts'

const all = { paypal, wise, sepa, stripe, generic, manual }

type ReasonOf<M> = M extends Method<infer Reason> ? Reason : never
/** Why a method cannot pay a payout. */
export type MethodReason = ReasonOf<(typeof all)[keyof typeof all]>

export const methods: Readonly<Record<PayoutMethod, Method<MethodReason>>> = all

/** What a method pays of a payout, in cents. The rest is in the next payout. */
export const paidCents = (payout: Pick<Payout, 'amountCents' | 'currency'>, method: PayoutMethod): bigint =>
  methods[method].rounding?.centsOf(payout) ?? payout.amountCents

/** Problems of fields of an affiliate or a program that their form does not show. */
export const fieldProblems = (fields: Readonly<Record<string, unknown>>): Problem[] =>
  Object.values(methods).flatMap((method) => method.fieldProblems?.(fields) ?? [])
