import type { PayoutMethod } from '../../generated/prisma/enums.ts'
import type { AddressFieldName } from './address.ts'
import { addressedMethods, addresses } from './addresses.ts'
import type { Payee } from './payee.ts'

type Addressed = Pick<Payee, AddressFieldName | 'preferredPayoutMethod'>

/** Where a method pays the affiliate. Null if it cannot, or needs no address. */
export function recipientOf(payee: Addressed, method: PayoutMethod): string | null {
  const address = addresses[method]
  return address && payee[address.paid]
}

/**
 * The one method that pays an affiliate: the preferred one, else the only one with an address, else the program's
 * default. Null without any address. `isByDefault`: several were possible, and none is preferred.
 */
export function methodOf(payee: Addressed, programDefault: PayoutMethod) {
  if (payee.preferredPayoutMethod) return { method: payee.preferredPayoutMethod, isByDefault: false }
  const possible = addressedMethods.filter(({ paid }) => payee[paid] !== null).map(({ method }) => method)
  const method = possible.find((one) => one === programDefault) ?? possible[0] ?? null
  return { method, isByDefault: possible.length > 1 }
}
