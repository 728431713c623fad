import { decimalsOf, toMajorUnits, toMinorUnits } from '../../kernel/money/decimals.ts'
import { pluralOf } from '../../kernel/text.ts'
import { formatDate, formatNumber } from './locale.ts'
import { partTexts } from './texts.ts'

/**
 * "1,234.50" in the program's locale. The decimal places are those of ISO 4217; browsers differ for some currencies.
 */
export function formatAmount(cents: number | bigint, currency: string, options: Intl.NumberFormatOptions = {}): string {
  const places = decimalsOf(currency)
  const major = toMajorUnits(BigInt(cents), currency) as `${number}`
  return formatNumber(major, { ...options, minimumFractionDigits: places, maximumFractionDigits: places })
}

/** "$1,234.50" in the program's locale; "1.234,50 €" in a German one. */
export const formatMoney = (cents: number | bigint, currency: string, options: Intl.NumberFormatOptions = {}): string =>
  formatAmount(cents, currency, { ...options, style: 'currency', currency })

/** "$1,234", and "$1,234.50" if it is not whole: for the axis of a chart. */
export const formatTick = (cents: number | bigint, currency: string): string =>
  formatMoney(cents, currency, { trailingZeroDisplay: 'stripIfInteger', currencyDisplay: 'narrowSymbol' })

/** "€20.00 and £15.00" */
export const listOfMoney = (
  amounts: readonly { currency: string; amountCents: number | bigint }[],
  word: 'and' | 'or' = 'and',
): string =>
  new Intl.ListFormat(partTexts().language, { type: word === 'and' ? 'conjunction' : 'disjunction' }).format(
    amounts.map(({ currency, amountCents }) => formatMoney(amountCents, currency)),
  )

/** A sentence of the service, which writes "1234.50 USD", with its amounts as the program's locale writes them. */
export const inLocale = (sentence: string): string =>
  sentence.replace(/\b(\d+(?:\.\d+)?) ([A-Z]{3})\b/g, (written, amount: string, code: string) => {
    const currency = code.toLowerCase()
    const cents = toMinorUnits(amount, currency)
    return cents === null ? written : formatMoney(cents, currency)
  })

/** "1 lead", "1,200 leads" */
export const formatCount = (count: number, singular: string): string =>
  `${formatNumber(count)} ${count === 1 ? singular : pluralOf(singular)}`

/** The direction is that of the locale: a Hebrew date has its day on the right. */
export const Day = ({ at }: { at: string }) => (
  <time dateTime={at} dir="auto">
    {formatDate(at)}
  </time>
)

/** A GraphQL state as words: `PENDING` becomes "Pending", if it has no other name. */
export const State = ({ state, name }: { state: string; name?: string }) => (
  <span className={`state ${state.toLowerCase()}`}>{name ?? state.charAt(0) + state.slice(1).toLowerCase()}</span>
)

/** An e-mail address that can break after the @. */
export function Email({ address }: { address: string }) {
  const host = address.indexOf('@') + 1
  return (
    <>
      {address.slice(0, host)}
      <wbr />
      {address.slice(host)}
    </>
  )
}
