import { describe, expect, it } from 'vitest'
import { writeCsv } from '../../../../src/pages/parts/result/spreadsheet.ts'
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
      columns: ['rank number', 'label text', 'money money', 'affiliate.email text', 'affiliate.campaign.name text'],
      rows: [
        ['1', 'Ada', '$12.30', 'ada@example.com', 'A'],
        ['2', 'Bob', '', '', ''],
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
        ['usd', '$30.00', '2 rows'],
        ['eur', '€5.00', '1 row'],
      ],
    },
    {
      name: 'liability.weeks',
      columns: ['currency text', 'owed money', 'weeks.week text', 'weeks.amount money'],
      rows: [
        ['usd', '$30.00', 'W1', '$10.00'],
        ['usd', '$30.00', 'W2', '$20.00'],
        ['eur', '€5.00', 'W1', '€5.00'],
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
  expect(textsOf(tables[2] as Table).rows[0]).toEqual(['2026-01', '3', '$1,234.50', '$10.00'])
})

it('handles nested connections like nested lists', () => {
  const sale = (amountCents: number) => ({ node: { amountCents, currency: 'jpy' } })
  const data = { affiliates: { nodes: [{ email: 'a@example.com', sales: { edges: [sale(500), sale(-20)] } }] } }
  expect(findTables(data).map(textsOf)[1]).toEqual({
    name: 'affiliates.sales',
    columns: ['email text', 'sales.amount money'],
    rows: [
      ['a@example.com', '¥500'],
      ['a@example.com', '-¥20'],
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
      ['$49.00', '$0.05'],
      ['KWD 4.900', 'KWD 0.000'],
    ],
  })
})

it('turns objects into tables of one row if there is no list', () => {
  const data = { analytics: { totals: { visitors: 5, salesAmount: money('1.00 USD') } }, program: { name: 'Acme' } }
  expect(findTables(data).map(textsOf)).toEqual([
    { name: 'analytics.totals', columns: ['visitors number', 'salesAmount money'], rows: [['5', '$1.00']] },
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
    ['€20.00', '-$3.00', '$9.00', '$100.00'],
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

describe('series', () => {
  const point = (label: string, formatted: string, value: number | null = null) => ({
    label,
    value,
    money: formatted ? money(formatted) : null,
  })

  it('by group become a pivot: a row for each interval, and a column for each group', () => {
    const groups = [
      { label: 'Partners', points: [point('2026-01', '1.00 USD'), point('2026-02', '2.00 USD')] },
      { label: 'Partners', points: [point('2026-01', '3.00 USD'), point('2026-02', '0.00 USD')] },
      { label: 'other', points: [point('2026-01', '0.50 USD'), point('2026-02', '')] },
    ]
    const [pivot, ...others] = findTables({ analytics: { timeSeries: { groups } } })
    expect(textsOf(pivot as Table)).toEqual({
      name: 'analytics.timeSeries.groups: money',
      columns: ['label text', 'Partners money', 'Partners (2) money', 'other money'],
      rows: [
        ['2026-01', '$1.00', '$3.00', '$0.50'],
        ['2026-02', '$2.00', '$0.00', ''],
      ],
    })
    expect(others.map(({ name }) => name)).toEqual([
      'analytics.timeSeries.groups',
      'analytics.timeSeries.groups.points',
    ])
    expect(writeCsv((pivot as Table).columns, (pivot as Table).rows)).toBe(
      'label,Partners (USD),Partners (2) (USD),other (USD)\r\n2026-01,1.00,3.00,0.50\r\n2026-02,2.00,0.00,\r\n',
    )
  })

  it('have a pivot for each measure', () => {
    const groups = [{ label: 'A', points: [{ start: '2026-01-01T00:00:00.000Z', sales: 1, refundRate: 0.5 }] }]
    expect(findTables({ groups }).map(({ name, isPivot }) => [name, isPivot])).toEqual([
      ['groups: sales', true],
      ['groups: refundRate', true],
      ['groups', undefined],
      ['groups.points', undefined],
    ])
  })

  it('of several aliases stand side by side', () => {
    const of = (amount: string) => ({ timeSeries: { points: [point('2026-01', amount), point('2026-02', amount)] } })
    const [pivot, ...others] = findTables({ germany: of('1.00 EUR'), france: of('2.00 EUR') })
    expect(textsOf(pivot as Table)).toEqual({
      name: '*.timeSeries.points: money',
      columns: ['label text', 'germany money', 'france money'],
      rows: [
        ['2026-01', '€1.00', '€2.00'],
        ['2026-02', '€1.00', '€2.00'],
      ],
    })
    expect(others.map(({ name }) => name)).toEqual(['germany.timeSeries.points', 'france.timeSeries.points'])
  })
})

it('shows other lists and records of several aliases one below the other', () => {
  const top = (label: string) => ({ top: [{ rank: 1, label }] })
  expect(findTables({ may: top('Ada'), june: top('Bob') }).map(textsOf)[0]).toEqual({
    name: '*.top',
    columns: ['alias text', 'rank number', 'label text'],
    rows: [
      ['may', '1', 'Ada'],
      ['june', '1', 'Bob'],
    ],
  })
  expect(findTables({ may: { totals: { sales: 1 } }, june: { totals: { sales: 2 } } }).map(textsOf)[0]).toEqual({
    name: '*.totals',
    columns: ['alias text', 'sales number'],
    rows: [
      ['may', '1'],
      ['june', '2'],
    ],
  })
})
