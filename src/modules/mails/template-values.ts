import type { PayoutMethod } from '../../generated/prisma/enums.ts'
import { byCurrency } from '../../kernel/money/currency-order.ts'
import { writtenAmount } from '../../kernel/money/written-amount.ts'
import { addresses } from '../payout-methods/addresses.ts'
import { oneLine } from './template.ts'

/** Amounts of several currencies: "$10.00 + €5.00". Nothing at all is a zero of the program's currency. */
export function writtenSum(
  sums: readonly { cents: bigint; currency: string }[],
  program: { currency: string },
  locale: string,
): string {
  const shown = sums.filter(({ cents }) => BigInt(cents) !== 0n).sort(byCurrency(program.currency))
  if (shown.length === 0) return writtenAmount(0n, program.currency, locale)
  return shown.map(({ cents, currency }) => writtenAmount(BigInt(cents), currency, locale)).join(' + ')
}

/** "November 26, 2026", in the program's time zone. */
export const writtenDate = (at: Date, { timeZone }: { timeZone: string }, locale: string): string =>
  oneLine(new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone }).format(at))

/** How a month is written: "October 2026". */
export const writtenMonth = (month: string, locale: string): string =>
  new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(new Date(`${month}-01`))

/** "November 26, 2026 at 3:05 PM UTC", in the program's time zone. */
export const writtenTime = (at: Date, { timeZone }: { timeZone: string }, locale: string): string =>
  oneLine(
    new Intl.DateTimeFormat(locale, {
      year: 'numeric',
      month: 'long',
      day: 'numeric',
      hour: 'numeric',
      minute: '2-digit',
      timeZone,
      timeZoneName: 'short',
    }).format(at),
  )

/** A payment as a mail names it. Null: it is not known. */
export type MadePayment = {
  at: Date | null
  method: PayoutMethod | null
  recipient: string | null
  reference: string | null
  reason: string | null
}

/** How people call a service. Undefined for one that is not known. */
export const serviceOf = (method: PayoutMethod | null): string | undefined =>
  method ? addresses[method]?.service : undefined

/** "PayPal · a***@example.com · November 26, 2026 · batch-7 · Receiver account is locked". */
export const writtenPayment = (payment: MadePayment, program: { timeZone: string }, locale: string): string =>
  [
    serviceOf(payment.method),
    payment.recipient && maskedAddress(payment.recipient),
    payment.at && writtenDate(payment.at, program, locale),
    payment.reference,
    payment.reason,
  ]
    .filter((part): part is string => Boolean(part))
    .map(oneLine)
    .join(' · ')

/** Enough to recognize it: "a***@example.com", "***1234". */
export function maskedAddress(address: string): string {
  const at = address.lastIndexOf('@')
  return at < 0 ? `***${address.slice(-4)}` : `${address.slice(0, 1)}***${address.slice(at)}`
}
