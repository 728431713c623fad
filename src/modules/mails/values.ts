import { byCurrency } from '../../kernel/money/currency-order.ts'
import { writtenAmount } from '../../kernel/money/written.ts'
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
