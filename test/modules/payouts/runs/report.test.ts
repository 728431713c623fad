import { expect, it } from 'vitest'
import { paypalReference } from '../../../../src/modules/payout-methods/paypal/paypal.ts'
import { wiseReference } from '../../../../src/modules/payout-methods/wise/wise.ts'
import { matchRows } from '../../../../src/modules/payouts/runs/import-results.ts'
import { readReport } from '../../../../src/modules/payouts/runs/report.ts'

// Samples with all columns of each report, written by its public documentation. docs/payouts.md names the versions.

const ids = [1, 2, 3, 4, 5].map((n) => `01988b2c-7f00-7abc-8def-00000000000${n}`)
const items = ids.map((payoutId) => ({ payoutId, state: 'sent' as const, reference: null }))
const [a = '', b = '', c = '', d = '', e = ''] = ids.map((id) => paypalReference({ id }))
const [v = '', w = '', x = '', y = '', z = ''] = ids.map((id) => wiseReference({ id }))

/** What each payment becomes, in the order of the ids; undefined if the file changes nothing of it. */
async function resultsOf(file: string) {
  const { results, unmatched, unchanged } = await matchRows({}, await readReport({}, file), items)
  const byId = new Map(results.map(({ payoutId, state, reference, reason }) => [payoutId, [state, reference, reason]]))
  return { results: ids.map((id) => byId.get(id)), unmatched, unchanged }
}

const quoted = (rows: string[][], separator: string) =>
  rows.map((row) => row.map((cell) => `"${cell}"`).join(separator)).join('\r\n')

/** The fields of a payout item, as PayPal's API has them. Reports of tools flatten them to columns. */
const paypalItem = (state: string, sender: string, transaction: string, error = '') => [
  `ITEM-${sender.slice(-1)}`,
  transaction,
  `ACT-${sender.slice(-1)}`,
  state,
  '0.25',
  'USD',
  'Q8KVJG9TZTNN4',
  'Payouts_1',
  'EMAIL',
  '10.00',
  'USD',
  'Acme: affiliate payout',
  'ada@a.test',
  sender,
  'PAYPAL',
  '2026-11-20T10:17:41Z',
  error && 'RECEIVER_UNREGISTERED',
  error,
]
const paypalItems = [
  [
    ...['payout_item_id', 'transaction_id', 'activity_id', 'transaction_status'],
    ...['payout_item_fee.value', 'payout_item_fee.currency', 'payout_batch_id', 'sender_batch_id'],
    ...['payout_item.recipient_type', 'payout_item.amount.value', 'payout_item.amount.currency', 'payout_item.note'],
    ...['payout_item.receiver', 'payout_item.sender_item_id', 'payout_item.recipient_wallet', 'time_processed'],
    ...['errors.name', 'errors.message'],
  ],
  paypalItem('SUCCESS', a, 'TX-1'),
  paypalItem('UNCLAIMED', b, 'TX-2', 'Receiver has no account'),
  paypalItem('BLOCKED', c, ''),
  paypalItem('ONHOLD', d, 'TX-4'),
  paypalItem('REFUNDED', e, 'TX-5'),
]

it.each([
  ['commas', ','],
  ['tabs', '\t'],
])("PayPal's payout items are read, with %s", async (_name, separator) => {
  expect(await resultsOf(quoted(paypalItems, separator))).toEqual({
    results: [
      ['paid', 'TX-1', undefined],
      ['unclaimed', 'TX-2', 'Receiver has no account'],
      ['failed', 'ITEM-3', undefined],
      undefined,
      ['returned', 'TX-5', undefined],
    ],
    unmatched: [],
    unchanged: 1,
  })
})

/** A row of the activity report, whose custom number has our id. Fees and other transactions are rows of their own. */
const activity = (type: string, state: string, transaction: string, custom: string) => [
  ...['11/20/2026', '10:17:41', 'PST', 'Ada', type, state, 'USD', '-1,010.00', '0.00', '-1,010.00'],
  ...['owner@acme.test', 'ada@a.test', transaction, 'Verified', '', '', '', '', custom, '1', '', '5,000.00', 'Debit'],
]

it("PayPal's activity report is read, with other transactions listed", async () => {
  const file = quoted(
    [
      [
        ...['Date', 'Time', 'TimeZone', 'Name', 'Type', 'Status', 'Currency', 'Gross', 'Fee', 'Net'],
        ...['From Email Address', 'To Email Address', 'Transaction ID', 'Counterparty Status', 'Item Title', 'Item ID'],
        ...['Reference Txn ID', 'Invoice Number', 'Custom Number', 'Quantity', 'Receipt ID', 'Balance'],
        'Balance Impact',
      ],
      activity('Mass Pay Payment', 'Completed', 'TX-1', a),
      activity('Mass Pay Payment', 'Unclaimed', 'TX-2', b),
      activity('Mass Pay Payment', 'Returned', 'TX-3', c),
      activity('Mass Pay Payment', 'Denied', 'TX-4', d),
      activity('Mass Pay Payment', 'Pending', 'TX-5', e),
      activity('General Payment', 'Completed', 'TX-6', ''),
    ],
    ',',
  )
  const { results, unmatched, unchanged } = await resultsOf(`\uFEFF${file}`)
  expect(results.map((result) => result?.slice(0, 2))).toEqual([
    ['paid', 'TX-1'],
    ['unclaimed', 'TX-2'],
    ['returned', 'TX-3'],
    ['failed', 'TX-4'],
    undefined,
  ])
  expect([unchanged, unmatched.map(({ line }) => line)]).toEqual([1, [7]])
})

const transfer = (id: number, state: string, reference: string) => [
  ...[`TRANSFER-${id}`, state, 'OUT', '2026-11-20 10:17:41', '2026-11-21 08:00:00', '0.41', 'USD', '', ''],
  ...[
    'Acme',
    '10.00',
    'USD',
    'Ada Lovelace',
    '10.00',
    'USD',
    '1.0',
    reference,
    'B123456',
    'Grace Hopper',
    'General',
    '',
  ],
]

it.each([
  ['commas', ','],
  ['semicolons', ';'],
])("Wise's list of transfers is read, with %s", async (_name, separator) => {
  const file = quoted(
    [
      [
        ...['ID', 'Status', 'Direction', 'Created on', 'Finished on', 'Source fee amount', 'Source fee currency'],
        ...['Target fee amount', 'Target fee currency', 'Source name', 'Source amount (after fees)', 'Source currency'],
        ...['Target name', 'Target amount (after fees)', 'Target currency', 'Exchange rate', 'Reference', 'Batch'],
        ...['Created by', 'Category', 'Note'],
      ],
      transfer(1, 'COMPLETED', v),
      transfer(2, 'REFUNDED', w),
      transfer(3, 'CANCELLED', x),
      transfer(4, 'PROCESSING', y),
      transfer(5, 'bounced_back', z),
    ],
    separator,
  )
  expect(await resultsOf(file)).toEqual({
    results: [
      ['paid', 'TRANSFER-1', undefined],
      ['returned', 'TRANSFER-2', undefined],
      ['failed', 'TRANSFER-3', undefined],
      undefined,
      ['returned', 'TRANSFER-5', undefined],
    ],
    unmatched: [],
    unchanged: 1,
  })
})

it('an odd file is read: blank lines, cells of several lines, characters that cannot be stored, and long texts', async () => {
  const reason = `No\u0000 \ud800account\n${'x'.repeat(2_000)}`
  const file = [
    '\uFEFFsep=;',
    'Status;Amount;Transaction ID;Reference;Error message',
    '',
    `"FAILED";"1.234,56";"${'T'.repeat(300)}";"${v.toUpperCase()}";"${reason}"`,
    '  ',
    '"SUCCESS";"1";"T-9";"nobody";""',
    '"Verschickt";"1";"T-9";"";""',
    `"constructor";"1";"T-9";"${w}";""`,
    '',
  ].join('\r')
  const { results, unmatched, unchanged } = await resultsOf(file)
  expect(results[0]).toEqual([
    'failed',
    'T'.repeat(255),
    `No\ufffd \ufffdaccount\n${'x'.repeat(1_000)}`.slice(0, 1_000),
  ])
  expect(results.slice(1)).toEqual([undefined, undefined, undefined, undefined])
  expect(unmatched.map(({ line, reason: why }) => [line, why])).toEqual([
    [7, 'No payment of this run has an id of this row.'],
    [8, 'No payment of this run has an id of this row.'],
    [9, 'The status "constructor" is not known.'],
  ])
  expect(unchanged).toBe(0)
})

it('a report in another language is rejected, and says what to do', async () => {
  await expect(
    readReport({}, '"Datum","Name","Typ","Transaktionscode"\n"20.11.2026","Ada","Massenzahlung","TX-1"'),
  ).rejects.toThrow(
    expect.objectContaining({
      problems: [expect.objectContaining({ message: expect.stringContaining('Download the report in English.') })],
    }),
  )
})
