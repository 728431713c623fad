import { decimalsOf, toMajorUnits } from '../../../kernel/money/decimals.ts'

/** "1,234.50" in the browser's language. The decimal places are those of ISO 4217; browsers differ for some currencies. */
export function formatAmount(cents: number | bigint, currency: string): string {
  const places = decimalsOf(currency)
  const format = new Intl.NumberFormat(undefined, { minimumFractionDigits: places, maximumFractionDigits: places })
  // A decimal string is exact at every size; a number with decimals is not.
  return format.format(toMajorUnits(BigInt(cents), currency) as `${number}`)
}

/** "1,234.50 USD" */
export const formatMoney = (cents: number | bigint, currency: string): string =>
  `${formatAmount(cents, currency)} ${currency.toUpperCase()}`

/** "leads", "deliveries" */
export const pluralOf = (singular: string): string => `${singular.replace(/([^aeiou])y$/, '$1ie')}s`

/** "1 lead", "1,200 leads" */
export const formatCount = (count: number, singular: string): string =>
  `${count.toLocaleString()} ${count === 1 ? singular : pluralOf(singular)}`

const dayFormat = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' })

export const Day = ({ at }: { at: string }) => <time dateTime={at}>{dayFormat.format(new Date(at))}</time>

/** A GraphQL state as words: `PENDING` becomes "Pending". */
export const State = ({ state }: { state: string }) => (
  <span className={`state ${state.toLowerCase()}`}>{state.charAt(0) + state.slice(1).toLowerCase()}</span>
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
