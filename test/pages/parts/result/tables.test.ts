import { expect, it } from 'vitest'
import { findTables, sortRows, type Table } from '../../../../src/pages/parts/result/tables.ts'
import { textOf, type Value } from '../../../../src/pages/parts/result/values.ts'

const textsOf = ({ name, columns, rows }: Table) => ({
  name,
  columns: columns.map((column) => `${column.name} ${column.kind}`),
  rows: rows.map((row) => row.map(textOf)),
})
const money = (formatted: string) => ({ __typename: 'Money', formatted })

it('turns a list of objects into a table, with dotted columns for nested objects and one column for money', () => {
  const data = {
    analytics: {
      top: [
        {
          rank: 1,
          label: 'Ada',
          money: money('12.30 USD'),
          affiliate: { email: 'ada@example.com', campaign: { name: 'A' } },
        },
        { rank: 2, label: 'Bob', money: null, affiliate: null },
      ],
    },
  }
  expect(findTables(data).map(textsOf)).toEqual([
    {
      name: 'analytics.top',
      columns: [
        'rank number',
        'label text',
        'money money',
        'affiliate.email text',
        'affiliate.campaign.name text',
        'affiliate empty',
      ],
      rows: [
        ['1', 'Ada', '12.30 USD', 'ada@example.com', 'A', ''],
        ['2', 'Bob', '', '', '', ''],
      ],
    },
  ])
})

it('uses edges or nodes as the rows of their connection, without cursors', () => {
  const rows = [{ email: 'a@example.com' }, { email: 'b@example.com' }]
  const edges = rows.map((node, index) => ({ cursor: `c${index}`, node }))
  const expected = { name: 'affiliates', columns: ['email text'], rows: [['a@example.com'], ['b@example.com']] }
  for (const affiliates of [
    { totalCount: 2, nodes: rows },
    { edges, pageInfo: {} },
    { nodes: rows, edges },
  ])
    expect(findTables({ affiliates }).map(textsOf)).toEqual([expected])
})

it('keeps the total count of a connection', () => {
  const [table] = findTables({ payouts: { totalCount: 143, nodes: [{ id: 'a' }] } })
  expect(table).toMatchObject({ name: 'payouts', total: 143 })
})

it("shows a nested list as a count, and as a table of its own with its parents' columns", () => {
  const data = {
    liability: [
      {
        currency: 'usd',
        owed: money('30.00 USD'),
        weeks: [
          { week: 'W1', amount: money('10.00 USD') },
          { week: 'W2', amount: money('20.00 USD') },
        ],
      },
      { currency: 'eur', owed: money('5.00 EUR'), weeks: [{ week: 'W1', amount: money('5.00 EUR') }] },
    ],
  }
  expect(findTables(data).map(textsOf)).toEqual([
    {
      name: 'liability',
      columns: ['currency text', 'owed money', 'weeks list'],
      rows: [
        ['usd', '30.00 USD', '2 rows'],
        ['eur', '5.00 EUR', '1 row'],
      ],
    },
    {
      name: 'liability.weeks',
      columns: ['currency text', 'owed money', 'weeks.week text', 'weeks.amount money'],
      rows: [
        ['usd', '30.00 USD', 'W1', '10.00 USD'],
        ['usd', '30.00 USD', 'W2', '20.00 USD'],
        ['eur', '5.00 EUR', 'W1', '5.00 EUR'],
      ],
    },
  ])
})

it('shows cohorts as a grid for each measure, rates first and as per cent', () => {
  const period = (index: number, retention: number, amount: string) => ({
    index,
    activeCustomers: index,
    retention,
    salesAmount: money(amount),
  })
  const cohorts = [
    { month: '2026-01', customers: 3, periods: [period(0, 1, '1234.50 USD'), period(1, 0.333, '10.00 USD')] },
    { month: '2026-02', customers: 2, periods: [period(0, 1, '5.00 USD')] },
  ]
  const tables = findTables({ analytics: { cohorts } })
  expect(tables.map(({ name }) => name)).toEqual([
    'analytics.cohorts: retention',
    'analytics.cohorts: activeCustomers',
    'analytics.cohorts: salesAmount',
    'analytics.cohorts.periods',
  ])
  expect(textsOf(tables[0] as Table)).toMatchObject({
    columns: ['month text', 'customers number', 'month 0 retention rate', 'month 1 retention rate'],
    rows: [
      ['2026-01', '3', '100.0%', '33.3%'],
      ['2026-02', '2', '100.0%', ''],
    ],
  })
  expect(textsOf(tables[2] as Table).rows[0]).toEqual(['2026-01', '3', '1,234.50 USD', '10.00 USD'])
})

it('handles nested connections like nested lists', () => {
  const sale = (amountCents: number) => ({ node: { amountCents, currency: 'jpy' } })
  const data = { affiliates: { nodes: [{ email: 'a@example.com', sales: { edges: [sale(500), sale(-20)] } }] } }
  expect(findTables(data).map(textsOf)[1]).toEqual({
    name: 'affiliates.sales',
    columns: ['email text', 'sales.amount money'],
    rows: [
      ['a@example.com', '500 JPY'],
      ['a@example.com', '-20 JPY'],
    ],
  })
})

it('reads cents next to a currency as money, with the decimal places of the currency', () => {
  const rows = [
    { amountCents: 4900, refundedCents: 5, currency: 'usd' },
    { amountCents: 4900, refundedCents: 0, currency: 'KWD' },
  ]
  expect(findTables({ rows }).map(textsOf)[0]).toMatchObject({
    columns: ['amount money', 'refunded money'],
    rows: [
      ['49.00 USD', '0.05 USD'],
      ['4.900 KWD', '0.000 KWD'],
    ],
  })
})

it('turns objects into tables of one row if there is no list', () => {
  const data = { analytics: { totals: { visitors: 5, salesAmount: money('1.00 USD') } }, program: { name: 'Acme' } }
  expect(findTables(data).map(textsOf)).toEqual([
    { name: 'analytics.totals', columns: ['visitors number', 'salesAmount money'], rows: [['5', '1.00 USD']] },
    { name: 'program', columns: ['name text'], rows: [['Acme']] },
  ])
  expect(findTables(data).every(({ isRecord }) => isRecord)).toBe(true)
})

it('has no table for a result without rows', () => {
  for (const data of [null, undefined, {}, { affiliates: { nodes: [] } }, 5]) expect(findTables(data)).toEqual([])
})

it.each([
  ['numbers by value', [10, 9, -2, null], ['-2', '9', '10', '']],
  ['texts in natural order', ['b', 'A', 'c10', 'c9'], ['A', 'b', 'c9', 'c10']],
  [
    'money by currency, then by amount',
    ['100.00 USD', '9.00 USD', '20.00 EUR', '-3.00 USD'].map(money),
    ['20.00 EUR', '-3.00 USD', '9.00 USD', '100.00 USD'],
  ],
  [
    'dates by instant, in any time zone',
    ['2026-01-02T00:00:00+09:00', '2026-01-01T16:00:00Z', '2026-01-01T14:00:00Z'],
    ['2026-01-01 14:00 UTC', '2026-01-01 15:00 UTC', '2026-01-01 16:00 UTC'],
  ],
])('sorts %s, with empty values last in both directions', (_, values, expected) => {
  const [table] = findTables({ rows: values.map((value) => ({ value, other: 1 })) }) as [Table]
  const texts = (descending: boolean) =>
    sortRows(table, { column: 'value', descending }).map((row) => textOf(row[0] as Value))
  expect(texts(false)).toEqual(expected)
  const filled = expected.filter((text) => text !== '')
  expect(texts(true)).toEqual([...filled.reverse(), ...expected.filter((text) => text === '')])
})
