import { expect, it } from 'vitest'
import { findTables, sortRows, type Table } from '../../../../src/server/pages/graphiql/result/tables.ts'
import { textOf } from '../../../../src/server/pages/graphiql/result/values.ts'

const shown = ({ name, columns, rows }: Table) => ({
  name,
  columns: columns.map((column) => `${column.name} ${column.kind}`),
  rows: rows.map((row) => row.map(textOf)),
})
const money = (formatted: string) => ({ __typename: 'Money', formatted })

it('a list of objects is a table; nested objects are dotted columns, money is one', () => {
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
  expect(findTables(data).map(shown)).toEqual([
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

it('edges and nodes are the rows of their connection, without cursors', () => {
  const rows = [{ email: 'a@example.com' }, { email: 'b@example.com' }]
  const edges = rows.map((node, index) => ({ cursor: `c${index}`, node }))
  const expected = { name: 'affiliates', columns: ['email text'], rows: [['a@example.com'], ['b@example.com']] }
  for (const affiliates of [
    { totalCount: 2, nodes: rows },
    { edges, pageInfo: {} },
    { nodes: rows, edges },
  ])
    expect(findTables({ affiliates }).map(shown)).toEqual([expected])
})

it('a connection that says how many there are has its table say so', () => {
  const [table] = findTables({ payouts: { totalCount: 143, nodes: [{ id: 'a' }] } })
  expect(table).toMatchObject({ name: 'payouts', total: 143 })
})

it('a list within rows is a number in their table, and a table of its own with what its rows belong to', () => {
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
  expect(findTables(data).map(shown)).toEqual([
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

it('connections within rows of connections work the same', () => {
  const sale = (amountCents: number) => ({ node: { amountCents, currency: 'jpy' } })
  const data = { affiliates: { nodes: [{ email: 'a@example.com', sales: { edges: [sale(500), sale(-20)] } }] } }
  expect(findTables(data).map(shown)[1]).toEqual({
    name: 'affiliates.sales',
    columns: ['email text', 'sales.amount money'],
    rows: [
      ['a@example.com', '500 JPY'],
      ['a@example.com', '-20 JPY'],
    ],
  })
})

it('cents beside their currency are money, by the decimal places of the currency', () => {
  const rows = [
    { amountCents: 4900, refundedCents: 5, currency: 'usd' },
    { amountCents: 4900, refundedCents: 0, currency: 'KWD' },
  ]
  expect(findTables({ rows }).map(shown)[0]).toMatchObject({
    columns: ['amount money', 'refunded money'],
    rows: [
      ['49.00 USD', '0.05 USD'],
      ['4.900 KWD', '0.000 KWD'],
    ],
  })
})

it('where there is no list, objects are tables of one row', () => {
  const data = { analytics: { totals: { visitors: 5, salesAmount: money('1.00 USD') } }, program: { name: 'Acme' } }
  expect(findTables(data).map(shown)).toEqual([
    { name: 'analytics.totals', columns: ['visitors number', 'salesAmount money'], rows: [['5', '1.00 USD']] },
    { name: 'program', columns: ['name text'], rows: [['Acme']] },
  ])
  expect(findTables(data).every(({ isRecord }) => isRecord)).toBe(true)
})

it('an answer without rows has no table', () => {
  for (const data of [null, undefined, {}, { affiliates: { nodes: [] } }, 5]) expect(findTables(data)).toEqual([])
})

it.each([
  ['numbers by value', [10, 9, -2, null], ['-2', '9', '10', '']],
  ['texts as people do', ['b', 'A', 'c10', 'c9'], ['A', 'b', 'c9', 'c10']],
  [
    'money by amount, each currency together',
    ['100.00 USD', '9.00 USD', '20.00 EUR', '-3.00 USD'].map(money),
    ['20.00 EUR', '-3.00 USD', '9.00 USD', '100.00 USD'],
  ],
  [
    'dates by moment, whatever their zone',
    ['2026-01-02T00:00:00+09:00', '2026-01-01T16:00:00Z', '2026-01-01T14:00:00Z'],
    ['2026-01-01 14:00 UTC', '2026-01-01 15:00 UTC', '2026-01-01 16:00 UTC'],
  ],
])('sorts %s; what is empty comes last either way', (_, values, expected) => {
  const [table] = findTables({ rows: values.map((value) => ({ value, other: 1 })) }) as [Table]
  const texts = (descending: boolean) =>
    sortRows(table, { column: 'value', descending }).map((row) => textOf(row[0] as never))
  expect(texts(false)).toEqual(expected)
  const filled = expected.filter((text) => text !== '')
  expect(texts(true)).toEqual([...filled.reverse(), ...expected.filter((text) => text === '')])
})
