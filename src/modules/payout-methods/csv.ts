import { stringify } from 'csv-stringify/sync'
import type { Program } from '../../generated/prisma/client.ts'
import { toMajorUnits } from '../../kernel/money/decimals.ts'
import type { PayoutFile } from './method.ts'
import { type FilePayout, inOneLine, type PaidPayout } from './payee.ts'

type Format = Pick<PayoutFile, 'name' | 'format'> & {
  /** Whether the first line has the names of the columns. */
  header: boolean
  maxRows?: number
  countsCommissions?: boolean
  /** The columns in their order. */
  columns: Record<string, (payout: FilePayout, program: Program) => string>
  /** Columns with addresses, which are written as they are. */
  addresses?: readonly string[]
}

export const byteOrderMark = '\uFEFF'

export const withMark = (amount: string, { payoutFileDecimalMark: mark }: Program) =>
  mark === 'comma' ? amount.replace('.', ',') : amount
export const amountOf = ({ amountCents, currency }: PaidPayout, program: Program) =>
  withMark(toMajorUnits(amountCents, currency), program)
export const currencyOf = ({ currency }: PaidPayout) => currency.toUpperCase()

/** Whether a spreadsheet would read the text as a formula. */
const readsAsFormula = (text: string) => /^[=+\-@\t\r]/.test(text)

/** An address that begins with `+` is no formula to services, and people have such addresses. */
export const isUnsafe = (email: string) => readsAsFormula(email) && !email.startsWith('+')

const linesOf = (lines: string[][]) => stringify(lines, { record_delimiter: '\r\n' })

/** A file in RFC 4180 CSV, each payout in one line. Values that a spreadsheet would read as formulas are escaped. */
export function csvFile({ header, columns, addresses = [], ...given }: Format): PayoutFile {
  const cells = Object.entries(columns)
  return {
    maxRows: Number.POSITIVE_INFINITY,
    countsCommissions: false,
    ...given,
    isCsv: true,
    start: () => (header ? linesOf([Object.keys(columns)]) : ''),
    rows: (payouts, program) =>
      linesOf(
        payouts.map((payout) =>
          cells.map(([name, cell]) => {
            const value = inOneLine(cell(payout, program))
            return readsAsFormula(value) && !addresses.includes(name) ? `'${value}` : value
          }),
        ),
      ),
    end: '',
  }
}
