import { toMajorUnits, toMinorUnits } from '../../../kernel/money/decimals.ts'
import { textOf } from '../call.ts'
import type { Money } from './kind.ts'

/** An amount that a service writes as a decimal: whole units of a forint are "370", "370.00", or a number. */
export function decimalMoney(value: unknown, currency: unknown): Money | null {
  const code = textOf(currency)?.toLowerCase()
  const decimal = textOf(value)?.replace(/\.0+$/, '') ?? null
  const cents = code === undefined || decimal === null ? null : toMinorUnits(decimal, code)
  return code === undefined || cents === null ? null : { cents, currency: code }
}

const grouped = ({ cents, currency }: Money) =>
  toMajorUnits(cents, currency).replace(/\B(?=(\d{3})+(?!\d))(?<!\.\d*)/g, ',')

/** "can pay EUR, balance 1,204.10; can pay USD, balance 3.00" @param service what people call it */
export const payableFrom = (service: string, balances: readonly Money[]): string =>
  balances.length === 0
    ? `can pay; ${service} names no balance`
    : balances.map((one) => `can pay ${one.currency.toUpperCase()}, balance ${grouped(one)}`).join('; ')
