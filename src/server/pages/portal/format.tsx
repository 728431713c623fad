import { decimalsOf, toMajorUnits } from '../../../kernel/money/decimals.ts'

/** "1,234.50", as the browser's language writes numbers, with the decimals of ISO 4217, which browsers do not know for all. */
export function readableAmount(cents: number, currency: string): string {
  const places = decimalsOf(currency)
  const numbers = new Intl.NumberFormat(undefined, { minimumFractionDigits: places, maximumFractionDigits: places })
  // A decimal as text is exact at every size; a number with decimals is not.
  return numbers.format(toMajorUnits(BigInt(cents), currency) as `${number}`)
}

/** "1,234.50 USD" */
export const readableMoney = (cents: number, currency: string): string =>
  `${readableAmount(cents, currency)} ${currency.toUpperCase()}`

const days = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' })

export const Day = ({ at }: { at: string }) => <time dateTime={at}>{days.format(new Date(at))}</time>

/** "PENDING" as a person reads it. */
export const State = ({ of }: { of: string }) => (
  <span className={`state ${of.toLowerCase()}`}>{of.charAt(0) + of.slice(1).toLowerCase()}</span>
)

export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString()} ${count === 1 ? one : many}`

/** Where there is no room for all of it, it goes on after the @. */
export function Email({ of: email }: { of: string }) {
  const host = email.indexOf('@') + 1
  return (
    <>
      {email.slice(0, host)}
      <wbr />
      {email.slice(host)}
    </>
  )
}
