import { parse } from 'csv-parse/sync'
import type { PayoutItemState } from '../../../generated/prisma/enums.ts'
import { readDialect } from '../../../kernel/csv-dialect.ts'
import { invalid } from '../../../kernel/errors.ts'
import { storableText } from '../../../kernel/text.ts'

/** A row of a service's report: its texts, and what its columns say. `state` is null for words that are not known. */
export type ReportRow = {
  line: number
  cells: string[]
  word: string
  state: PayoutItemState | null
  reference: string | undefined
  reason: string | undefined
}

/**
 * What the words of PayPal and Wise mean for a payment. What is still on its way changes nothing. Source: PayPal,
 * "Track payout item status" (September 10, 2026), and "Changed fields" of the activity report (June 14, 2026), whose
 * `Completed` and `Canceled` the API does not have; Wise, "Tracking transfers", read in November 2026.
 */
const states: Record<string, PayoutItemState> = {
  success: 'paid',
  completed: 'paid',
  claimed: 'paid',
  outgoingpaymentsent: 'paid',
  sent: 'paid',
  failed: 'failed',
  blocked: 'failed',
  denied: 'failed',
  cancelled: 'failed',
  canceled: 'failed',
  returned: 'returned',
  refunded: 'returned',
  reversed: 'returned',
  fundsrefunded: 'returned',
  bouncedback: 'returned',
  chargedback: 'returned',
  unclaimed: 'unclaimed',
  pending: 'sent',
  onhold: 'sent',
  processing: 'sent',
  fundsconverted: 'sent',
  incomingpaymentwaiting: 'sent',
  incomingpaymentinitiated: 'sent',
}

/** As long as the inputs of `recordPayoutResults`. */
const longest = { reference: 255, reason: 1_000 }

const plain = (text: string) => text.toLowerCase().replace(/[^a-z0-9]/g, '')

const columns = {
  state: ['transactionstatus', 'status'],
  reference: ['transactionid', 'payoutitemid', 'transferwiseid', 'transferid', 'wiseid', 'id'],
  reason: ['errormessage', 'errorsmessage', 'errorsname', 'errors', 'error', 'errorcode', 'reason', 'reasoncode'],
} as const

/** Reads a report as CSV with a header. @throws INVALID_INPUT */
export function readReport(file: string): ReportRow[] {
  const { text, separator } = readDialect(file)
  const [{ record: header } = { record: [] }, ...rows] = linesOf(text, separator)
  const names = header.map(plain)
  const columnsOf = (known: readonly string[]) => known.map((name) => names.indexOf(name)).filter((at) => at >= 0)
  const [state = -1] = columnsOf(columns.state)
  const [references, reasons] = [columnsOf(columns.reference), columnsOf(columns.reason)]
  if (state < 0)
    throw invalid([
      {
        field: 'file',
        message:
          'File has no column for the status, such as "Status" or "Transaction status". Download the report in English.',
      },
    ])
  return rows.map(({ record: cells, line }) => {
    const word = cells[state] ?? ''
    const known = plain(word)
    return {
      line,
      cells,
      word,
      state: Object.hasOwn(states, known) ? (states[known] ?? null) : null,
      // A payment that PayPal denied has no transaction id, but the id of the item.
      reference: references
        .map((at) => cells[at])
        .find(Boolean)
        ?.slice(0, longest.reference),
      reason: reasons
        .map((at) => cells[at])
        .find(Boolean)
        ?.slice(0, longest.reason),
    }
  })
}

/** Each row with the line in which it begins: blank lines and cells of several lines count. */
function linesOf(text: string, delimiter: string): { record: string[]; line: number }[] {
  try {
    const rows = parse(storableText(text), {
      delimiter,
      info: true,
      record_delimiter: '\n',
      relax_column_count: true,
      skip_empty_lines: true,
      trim: true,
    }) as unknown as { record: string[]; info: { lines: number } }[]
    return rows.map(({ record, info }) => ({ record, line: info.lines - (record.join('').split('\n').length - 1) }))
  } catch {
    throw invalid([{ field: 'file', message: 'File is not a CSV file.' }])
  }
}
