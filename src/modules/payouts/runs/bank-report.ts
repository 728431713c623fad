import { XMLParser } from 'fast-xml-parser'
import type { PayoutItemState } from '../../../generated/prisma/enums.ts'
import { invalid } from '../../../kernel/errors.ts'
import { storableText } from '../../../kernel/text.ts'
import type { ReportRow } from './report-row.ts'

// Messages of banks about a SEPA file: pain.002 (status of payments), camt.052, camt.053 and camt.054 (entries of the
// account). Source: ISO 20022, "Payments Initiation" and "Bank-to-Customer Cash Management"; European Payments Council,
// EPC130-08 and EPC188-09.

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

/** XML as objects. Every element is a list, because each can be repeated. */
type Element = { [name: string]: Element[] | string }

/** Entities are not expanded but for the five of XML. A message has no DTD. @throws INVALID_INPUT */
function parse(file: string): Element {
  const bad = (message: string) => invalid([{ field: 'file', message: `File ${message}` }])
  if (/<!(DOCTYPE|ENTITY)/i.test(file)) throw bad('has a document type, which a message of a bank does not have.')
  const parser = new XMLParser({
    ignoreAttributes: false,
    removeNSPrefix: true,
    parseTagValue: false,
    parseAttributeValue: false,
    processEntities: false,
    alwaysCreateTextNode: true,
    isArray: (_name, _path, _isLeaf, isAttribute) => !isAttribute,
  })
  try {
    return parser.parse(storableText(file), true) as Element
  } catch {
    throw bad('is not XML that can be read. Download the message again.')
  }
}

const all = (element: Element | undefined, ...path: string[]): Element[] =>
  path.reduce<Element[]>(
    (found, name) => found.flatMap((one) => (Array.isArray(one[name]) ? (one[name] as Element[]) : [])),
    element ? [element] : [],
  )

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
const text = (element: Element | undefined, ...path: string[]): string => {
  const value = all(element, ...path)[0]?.['#text']
  return typeof value === 'string'
    ? value.replace(/&(amp|lt|gt|quot|apos);/g, (_all, name: string) => entities[name] ?? '').trim()
    : ''
}

/** Reads a message, a row for each payment in it, named by its end-to-end id. @throws INVALID_INPUT */
export function readBankMessage(file: string): ReportRow[] {
  const [document] = all(parse(file), 'Document')
  const status = all(document, 'CstmrPmtStsRpt')[0]
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
  const lineOf = lines(file)
  const rows = status ? statusesOf(status) : accounts.flatMap((account) => all(account, 'Ntry').flatMap(entriesOf))
  return rows.map((row) => ({ ...row, line: lineOf(row.cells[0] ?? '') }))
}

/** In which line an id stands, searched from the one before. */
function lines(file: string): (id: string) => number {
  let [place, line] = [0, 1]
  return (id) => {
    const at = id ? file.indexOf(id, place) : -1
    if (at < 0) return line
    line += file.slice(place, at).split('\n').length - 1
    place = at
    return line
  }
}

type Row = Omit<ReportRow, 'line'>

const row = (given: Partial<Row> & Pick<Row, 'cells' | 'word' | 'state'>): Row => ({
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
function statusesOf(report: Element): Row[] {
  const created = text(report, 'GrpHdr', 'CreDtTm')
  const rowOf = (id: string, word: string, element: Element, isWhole: boolean): Row =>
    row({
      cells: [id, word],
      word,
      state: statuses[word] ?? null,
      at: timeOf(text(element, 'AccptncDtTm'), created),
      reference: text(element, 'AcctSvcrRef').slice(0, 255) || undefined,
      reason: reasonOf(all(element, 'StsRsnInf')[0]),
      ...amountOf(all(element, 'OrgnlTxRef', 'Amt', 'InstdAmt')[0]),
      ...(isWhole && { ofRun: id }),
    })
  const infos = all(report, 'OrgnlPmtInfAndSts')
  const single = infos.flatMap((info) =>
    all(info, 'TxInfAndSts').map((tx) =>
      rowOf(text(tx, 'OrgnlEndToEndId'), text(tx, 'TxSts') || text(info, 'PmtInfSts'), tx, false),
    ),
  )
  if (single.length > 0) return single
  const [group] = all(report, 'OrgnlGrpInfAndSts')
  const whole = infos.filter((info) => text(info, 'PmtInfSts') !== '')
  if (whole.length > 0)
    return whole.map((info) => rowOf(text(info, 'OrgnlPmtInfId'), text(info, 'PmtInfSts'), info, true))
  return group ? [rowOf(text(group, 'OrgnlMsgId'), text(group, 'GrpSts'), group, true)] : []
}

const amountOf = (amount: Element | undefined) => ({
  amount: text(amount),
  currency: typeof amount?.['@_Ccy'] === 'string' ? amount['@_Ccy'].toLowerCase() : '',
})

/** The payments of an entry of the account. What was credited takes a payment back. */
function entriesOf(entry: Element): Row[] {
  const isBooked = ['', 'BOOK'].includes(text(entry, 'Sts', 'Cd') || text(entry, 'Sts'))
  const at = timeOf(text(entry, 'BookgDt', 'DtTm'), text(entry, 'BookgDt', 'Dt'), text(entry, 'ValDt', 'Dt'))
  const details = all(entry, 'NtryDtls')
  const payments = details.flatMap((one) => all(one, 'TxDtls'))
  const rowOf = (id: string, element: Element, isWhole: boolean): Row => {
    const direction = text(element, 'CdtDbtInd') || text(entry, 'CdtDbtInd')
    const returned = all(element, 'RtrInf')[0]
    const amount =
      all(element, 'AmtDtls', 'TxAmt', 'Amt')[0] ??
      all(element, 'Amt')[0] ??
      (payments.length < 2 ? all(entry, 'Amt')[0] : undefined)
    return row({
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
  if (named.length > 0) return named.map((one) => rowOf(text(one, 'Refs', 'EndToEndId'), one, false))
  const batch =
    details.map((one) => text(one, 'Btch', 'PmtInfId')).find(Boolean) ?? text(payments[0], 'Refs', 'PmtInfId')
  return batch ? [rowOf(batch, entry, true)] : []
}
