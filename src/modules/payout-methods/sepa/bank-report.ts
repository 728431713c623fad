import type { PayoutItemState } from '../../../generated/prisma/enums.ts'
import { invalid } from '../../../kernel/errors.ts'
import { type Client, collectInSlices } from '../../../kernel/slices.ts'
import type { ReportRow } from '../report-row.ts'
import { type Element, readXml } from './bank-xml.ts'

// Messages of banks about a file of transfers: pain.002 (status of payments), and camt.052, camt.053 and camt.054
// (entries of the account). Source: ISO 20022, "Payments Initiation" and "Bank-to-Customer Cash Management"; European
// Payments Council, EPC130-08 and EPC188-09.

/** Whether the file is XML, and not a list. */
export const isBankMessage = (file: string): boolean => /^\uFEFF?\s*</.test(file)

/** ISO 20022, external codes of payment statuses. ACSC and ACCC: it was settled. The other A… are steps on the way. */
const statuses: Record<string, PayoutItemState> = {
  ACSC: 'paid',
  ACCC: 'paid',
  RJCT: 'failed',
  CANC: 'failed',
  BLCK: 'failed',
  ...Object.fromEntries(
    ['ACCP', 'ACSP', 'ACTC', 'ACWC', 'ACWP', 'ACFC', 'PATC', 'PART', 'PDNG', 'PRES', 'RCVD'].map((code) => [
      code,
      'sent' as const,
    ]),
  ),
}

const all = (element: Element | undefined, ...path: string[]): Element[] =>
  path.reduce<Element[]>(
    (found, name) => found.flatMap((one) => one.children.get(name) ?? []),
    element ? [element] : [],
  )

/** Looks no further than the first: an entry can have as many others as the file has lines. */
function first(element: Element | undefined, ...[name, ...path]: string[]): Element | undefined {
  if (name === undefined) return element
  for (const child of element?.children.get(name) ?? []) {
    const found = first(child, ...path)
    if (found) return found
  }
  return undefined
}

const text = (element: Element | undefined, ...path: string[]): string => first(element, ...path)?.text.trim() ?? ''

/**
 * Reads a message, a row for each payment in it, named by its end-to-end id. Other requests run meanwhile.
 * @throws INVALID_INPUT
 */
export async function readBankMessage(client: Client, file: string): Promise<ReportRow[]> {
  const [document] = all(await readXml(client, file), 'Document')
  const status = first(document, 'CstmrPmtStsRpt')
  const accounts = [
    ...all(document, 'BkToCstmrStmt', 'Stmt'),
    ...all(document, 'BkToCstmrDbtCdtNtfctn', 'Ntfctn'),
    ...all(document, 'BkToCstmrAcctRpt', 'Rpt'),
  ]
  if (!status && accounts.length === 0)
    throw invalid([
      {
        field: 'file',
        message: 'File is no message of a bank that is read here: pain.002, camt.052, camt.053 or camt.054.',
      },
    ])
  return collectInSlices(client, status ? statusesOf(status) : entriesOf(accounts))
}

const row = (given: Partial<ReportRow> & Pick<ReportRow, 'line' | 'cells' | 'word' | 'state'>): ReportRow => ({
  reference: undefined,
  reason: undefined,
  at: null,
  amount: '',
  fee: '',
  currency: '',
  isIncoming: false,
  ...given,
})

function timeOf(...texts: string[]): Date | null {
  const at = new Date(texts.find((one) => one !== '') ?? '')
  return Number.isNaN(at.getTime()) ? null : at
}

const reasonOf = (reason: Element | undefined): string | undefined =>
  [text(reason, 'Rsn', 'Cd') || text(reason, 'Rsn', 'Prtry'), ...all(reason, 'AddtlInf').map((one) => text(one))]
    .filter(Boolean)
    .join(' ')
    .slice(0, 1_000) || undefined

/** The statuses of single payments; of a whole file, if the bank names no payments. */
function* statusesOf(report: Element): Generator<ReportRow> {
  const created = text(report, 'GrpHdr', 'CreDtTm')
  const rowOf = (id: string, word: string, element: Element, isWhole: boolean): ReportRow =>
    row({
      line: element.line,
      cells: [id, word],
      word,
      state: statuses[word] ?? null,
      at: timeOf(text(element, 'AccptncDtTm'), created),
      reference: text(element, 'AcctSvcrRef').slice(0, 255) || undefined,
      reason: reasonOf(first(element, 'StsRsnInf')),
      ...amountOf(first(element, 'OrgnlTxRef', 'Amt', 'InstdAmt')),
      ...(isWhole && { ofRun: id }),
    })
  const infos = all(report, 'OrgnlPmtInfAndSts')
  let isSingle = false
  for (const info of infos)
    for (const tx of all(info, 'TxInfAndSts')) {
      isSingle = true
      yield rowOf(text(tx, 'OrgnlEndToEndId'), text(tx, 'TxSts') || text(info, 'PmtInfSts'), tx, false)
    }
  if (isSingle) return
  const [group] = all(report, 'OrgnlGrpInfAndSts')
  const whole = infos.filter((info) => text(info, 'PmtInfSts') !== '')
  for (const info of whole) yield rowOf(text(info, 'OrgnlPmtInfId'), text(info, 'PmtInfSts'), info, true)
  if (whole.length === 0 && group) yield rowOf(text(group, 'OrgnlMsgId'), text(group, 'GrpSts'), group, true)
}

const amountOf = (amount: Element | undefined) => ({
  amount: text(amount),
  currency: amount?.attributes.Ccy?.toLowerCase() ?? '',
})

function* entriesOf(accounts: readonly Element[]): Generator<ReportRow | null> {
  for (const account of accounts)
    for (const entry of all(account, 'Ntry')) {
      yield* paymentsOf(entry)
      yield null
    }
}

/** The payments of an entry of the account. What was credited takes a payment back. */
function* paymentsOf(entry: Element): Generator<ReportRow> {
  const isBooked = ['', 'BOOK'].includes(text(entry, 'Sts', 'Cd') || text(entry, 'Sts'))
  const at = timeOf(text(entry, 'BookgDt', 'DtTm'), text(entry, 'BookgDt', 'Dt'), text(entry, 'ValDt', 'Dt'))
  const details = all(entry, 'NtryDtls')
  const payments = details.flatMap((one) => all(one, 'TxDtls'))
  const rowOf = (id: string, element: Element, isWhole: boolean): ReportRow => {
    const direction = text(element, 'CdtDbtInd') || text(entry, 'CdtDbtInd')
    const returned = first(element, 'RtrInf')
    const amount =
      first(element, 'AmtDtls', 'TxAmt', 'Amt') ??
      first(element, 'Amt') ??
      (payments.length < 2 ? first(entry, 'Amt') : undefined)
    return row({
      line: element.line,
      cells: [id, direction],
      word: direction,
      state: !isBooked ? 'sent' : direction === 'DBIT' || direction === 'CRDT' ? 'paid' : null,
      at,
      isIncoming: direction === 'CRDT',
      reference: (text(element, 'Refs', 'AcctSvcrRef') || text(entry, 'AcctSvcrRef')).slice(0, 255) || undefined,
      reason: reasonOf(returned),
      ...amountOf(amount),
      ...(isWhole && { ofRun: id }),
    })
  }
  const named = payments.filter((one) => text(one, 'Refs', 'EndToEndId') !== '')
  for (const one of named) yield rowOf(text(one, 'Refs', 'EndToEndId'), one, false)
  if (named.length > 0) return
  const batch =
    details.map((one) => text(one, 'Btch', 'PmtInfId')).find(Boolean) ?? text(payments[0], 'Refs', 'PmtInfId')
  if (batch) yield rowOf(batch, entry, true)
}
