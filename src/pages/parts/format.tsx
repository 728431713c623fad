import { decimalsOf, toMajorUnits } from '../../kernel/money/decimals.ts'
import { formatDate, formatNumber } from './locale.ts'

/** "1,234.50" in the program's locale. The decimal places are those of ISO 4217; browsers differ for some currencies. */
export function formatAmount(cents: number | bigint, currency: string): string {
  const places = decimalsOf(currency)
  const major = toMajorUnits(BigInt(cents), currency) as `${number}`
  return formatNumber(major, { minimumFractionDigits: places, maximumFractionDigits: places })
}

/** "1,234.50 USD" */
export const formatMoney = (cents: number | bigint, currency: string): string =>
  `${formatAmount(cents, currency)} ${currency.toUpperCase()}`

/** "leads", "deliveries" */
export const pluralOf = (singular: string): string => `${singular.replace(/([^aeiou])y$/, '$1ie')}s`

/** "1 lead", "1,200 leads" */
export const formatCount = (count: number, singular: string): string =>
  `${formatNumber(count)} ${count === 1 ? singular : pluralOf(singular)}`

export const Day = ({ at }: { at: string }) => <time dateTime={at}>{formatDate(at)}</time>

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
