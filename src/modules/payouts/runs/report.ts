import type { PayoutItemState } from '../../../generated/prisma/enums.ts'
import { type CsvRecord, readCsv, UnreadableCsv } from '../../../kernel/csv.ts'
import { invalid } from '../../../kernel/errors.ts'
import { type Client, collectInSlices } from '../../../kernel/slices.ts'
import { storableText } from '../../../kernel/text.ts'
import { methods } from '../../payout-methods/all.ts'
import type { ReportRow } from '../../payout-methods/report-row.ts'
import { monthIsFirst, readTime, withHyphens } from './report-values.ts'

const reports = Object.values(methods).map(({ report }) => report)

/** What the words of services mean for a payment. */
const states: Readonly<Record<string, PayoutItemState>> = Object.assign({}, ...reports.map(({ words }) => words))

/** As long as the inputs of `recordPayoutResults`. */
const longest = { reference: 255, reason: 1_000 }

const plain = (text: string) => text.toLowerCase().replace(/[^a-z0-9]/g, '')

const columns = {
  state: ['transactionstatus', 'status'],
  reference: ['transactionid', 'payoutitemid', 'transferwiseid', 'transferid', 'wiseid', 'id'],
  reason: ['errormessage', 'errorsmessage', 'errorsname', 'errors', 'error', 'errorcode', 'reason', 'reasoncode'],
  amount: [
    'gross',
    'grossamount',
    'payoutitemamountvalue',
    'payoutitemamount',
    'amountvalue',
    'targetamountafterfees',
    'targetamount',
    'amount',
    'sourceamountafterfees',
    'sourceamount',
    'net',
  ],
  fee: [
    'fee',
    'feeamount',
    'payoutitemfeevalue',
    'payoutitemfee',
    'transactionfee',
    'targetfeeamount',
    'sourcefeeamount',
    'fees',
  ],
  currency: [
    'payoutitemamountcurrency',
    'amountcurrency',
    'targetcurrency',
    'currency',
    'currencycode',
    'grosscurrency',
    'sourcecurrency',
  ],
  date: [
    'finishedon',
    'completedon',
    'datecompleted',
    'timeprocessed',
    'transactionupdateddate',
    'updatedat',
    'date',
    'datetime',
    'transactioninitiationdate',
    'createdon',
    'timestamp',
    'createdat',
    'created',
  ],
  time: ['time'],
  zone: ['timezone'],
  type: ['type', 'transactiontype', 'description', 'transactiondescription'],
  code: ['transactioneventcode', 'eventcode', 'tcode'],
  direction: ['direction', 'balanceimpact'],
} as const

/** Of a list. A run has fewer payments, and a bank's message has its own limit. */
const limits = { lines: 20_000, recordLength: 20_000, columns: 256, trims: true }

/** Reads a list with a header, or a message of a service. Other requests run meanwhile. @throws INVALID_INPUT */
export function readReport(client: Client, file: string): Promise<ReportRow[]> {
  for (const { readMessage } of reports) {
    const reading = readMessage?.(client, file)
    if (reading) return reading
  }
  return readList(client, file)
}

async function readList(client: Client, file: string): Promise<ReportRow[]> {
  const [header, ...rows] = await recordsOf(client, file)
  return collectInSlices(client, rowsOf(header?.values ?? [], rows))
}

function* rowsOf(header: readonly string[], rows: readonly CsvRecord[]): Generator<ReportRow> {
  const names = header.map(plain)
  const columnsOf = (known: readonly string[]) => known.map((name) => names.indexOf(name)).filter((at) => at >= 0)
  const [state = -1] = columnsOf(columns.state)
  if (state < 0)
    throw invalid([
      {
        field: 'file',
        message:
          'File has no column for the status, such as "Status" or "Transaction status". Download the report in English.',
      },
    ])
  const readerOf = (known: readonly string[]) => {
    const at = columnsOf(known)
    return (cells: readonly string[]) => at.map((one) => cells[one]).find(Boolean) ?? ''
  }
  const read = {
    reference: readerOf(columns.reference),
    reason: readerOf(columns.reason),
    amount: readerOf(columns.amount),
    fee: readerOf(columns.fee),
    currency: readerOf(columns.currency),
    date: readerOf(columns.date),
    time: readerOf(columns.time),
    zone: readerOf(columns.zone),
  }
  const isMonthFirst = monthIsFirst(rows.map(({ values }) => read.date(values)))
  const isIncoming = incomingIn(rows, columnsOf)
  for (const { values: cells, line } of rows) {
    const word = cells[state] ?? ''
    yield {
      line,
      cells,
      word,
      state: stateOf(word),
      // A payment that PayPal denied has no transaction id, but the id of the item.
      reference: read.reference(cells).slice(0, longest.reference) || undefined,
      reason: read.reason(cells).slice(0, longest.reason) || undefined,
      at: readTime(read.date(cells), read.time(cells), read.zone(cells), isMonthFirst),
      amount: read.amount(cells),
      fee: read.fee(cells),
      currency: read.currency(cells).toLowerCase(),
      isIncoming: isIncoming(cells),
    }
  }
}

function stateOf(word: string): PayoutItemState | null {
  const known = plain(word)
  return Object.hasOwn(states, known) ? (states[known] ?? null) : null
}

/**
 * Which rows book money that came in: by the direction, the type or code of PayPal (T11: reversals), or the sign, if
 * the report writes what goes out with a minus.
 */
function incomingIn(rows: readonly CsvRecord[], columnsOf: (known: readonly string[]) => number[]) {
  const [types, codes, directions] = [columnsOf(columns.type), columnsOf(columns.code), columnsOf(columns.direction)]
  const [signed] = columnsOf(['gross', 'grossamount', 'amount', 'net'])
  const isNegative = (text = '') => /^[(\s]*-/.test(withHyphens(text))
  const hasSigns = signed !== undefined && rows.some(({ values }) => isNegative(values[signed]))
  return (cells: readonly string[]): boolean =>
    types.some((at) => /revers|refund|return(ed)? (of|pay)|pay(ment|out) return/i.test(cells[at] ?? '')) ||
    codes.some((at) => /^T11/i.test(cells[at] ?? '')) ||
    directions.some((at) => /^(in|credit)$/i.test(cells[at] ?? '')) ||
    (hasSigns && /\d/.test(cells[signed] ?? '') && !isNegative(cells[signed]))
}

async function recordsOf(client: Client, file: string): Promise<CsvRecord[]> {
  const records: CsvRecord[] = []
  const take = (record: CsvRecord) => records.push(record) <= limits.lines
  await readCsv(client, storableText(file), limits, take).catch((error) => {
    throw error instanceof UnreadableCsv ? invalid([{ field: 'file', message: error.message }]) : error
  })
  return records
}
