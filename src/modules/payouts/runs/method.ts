import type { PayoutMethod } from '../../../generated/prisma/enums.ts'
import type { Payee } from '../skip.ts'

type Paid = Pick<Payee, 'walletAEmail' | 'walletBEmail' | 'iban' | 'preferredPayoutMethod'>

/** Where a method pays the affiliate. Null if it cannot, or needs no address. */
export function recipientOf({ walletAEmail, walletBEmail, iban }: Paid, method: PayoutMethod): string | null {
  const recipients: Partial<Record<PayoutMethod, string | null>> = {
    paypal: walletAEmail,
    wise: walletBEmail,
    sepa: iban,
  }
  return recipients[method] ?? null
}

const withAddress = ['paypal', 'wise', 'sepa'] as const

/**
 * The one method that pays an affiliate: the preferred one, else the only one with an address, else the program's
 * default. Null without any address. `isByDefault`: several were possible, and none is preferred.
 */
export function methodOf(payee: Paid, programDefault: PayoutMethod) {
  if (payee.preferredPayoutMethod) return { method: payee.preferredPayoutMethod, isByDefault: false }
  const possible = withAddress.filter((method) => recipientOf(payee, method) !== null)
  const method = possible.find((one) => one === programDefault) ?? possible[0] ?? null
  return { method, isByDefault: possible.length > 1 }
}
