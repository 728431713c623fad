import type { PayoutMethod, PayoutServiceKind } from '../../../generated/prisma/enums.ts'
import type { Kind } from './kind.ts'
import { paypal } from './paypal/paypal.ts'
import { stripe } from './stripe/stripe.ts'
import { wise } from './wise/wise.ts'

/** The services that can be connected. */
export const kinds: Readonly<Partial<Record<PayoutServiceKind, Kind>>> = { stripe, paypal, wise }

/** The service that can send runs of a method. */
export function serviceOf(method: PayoutMethod): { service: PayoutServiceKind; kind: Kind } | null {
  const found = Object.entries(kinds).find(([, kind]) => kind.method === method)
  return found ? { service: found[0] as PayoutServiceKind, kind: found[1] } : null
}
