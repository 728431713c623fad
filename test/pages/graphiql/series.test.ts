import { expect, it } from 'vitest'
import { chartOf, chartOptions, describeChart, formatPoint } from '../../../src/pages/graphiql/result/series.ts'
import { findTables, type Table } from '../../../src/pages/parts/result/tables.ts'
import { textOf, type Value } from '../../../src/pages/parts/result/values.ts'

const money = (formatted: string) => ({ formatted })
const dataOf = (rows: object[], requested = {}) => {
  const table = findTables({ rows })[0] as Table
  const options = chartOptions(table)
  return options && chartOf(table, options, requested)[0]
}

it('draws amounts over time as a line and their comparison as a second line', () => {
  const points = [
    { label: '2026-03-01', value: null, money: money('10.50 USD'), comparisonMoney: money('8.00 USD') },
    { label: '2026-03-02', value: null, money: money('0.00 USD'), comparisonMoney: null },
  ]
  expect(dataOf(points)).toEqual({
    kind: 'line',
    labels: ['2026-03-01', '2026-03-02'],
    series: [
      { name: 'money', points: [10.5, 0], isComparison: false },
      { name: 'comparisonMoney', points: [8, null], isComparison: true },
    ],
    currency: 'usd',
  })
})

it.each(['2026-W11', '2026-03', '2026-Q1', '2026-03-01T00:00:00Z'])('recognizes %s as a time', (label) => {
  expect(dataOf([label, label].map((text) => ({ label: text, value: 1 })))?.kind).toBe('line')
})

it('sorts times ascending', () => {
  const rows = ['2026-03', '2026-01', '2026-02'].map((month, index) => ({ month, sales: index }))
  expect(dataOf(rows)).toMatchObject({ labels: ['2026-01', '2026-02', '2026-03'], series: [{ points: [1, 2, 0] }] })
})

it('draws a ranking as bars by label, without ranks and ids', () => {
  const id = '01980f3e-8c00-7000-8000-00000000dead'
  const rows = [
    { rank: 1, id, label: 'Ada', money: money('5.00 EUR') },
    { rank: 2, id, label: 'Bob', money: money('3.00 EUR') },
  ]
  expect(dataOf(rows)).toMatchObject({
    kind: 'bar',
    labels: ['Ada', 'Bob'],
    series: [{ name: 'money', points: [5, 3] }],
  })
})

it('draws counts together, without rates', () => {
  const rows = [{ label: 'A', visitors: 10, leads: 5, conversions: 2, sales: 2, leadRate: 0.5 }]
  expect(dataOf(rows)?.series.map(({ name }) => name)).toEqual(['visitors', 'leads', 'conversions', 'sales'])
  expect(dataOf(rows, { values: ['leadRate'] })?.series).toEqual([
    { name: 'leadRate', points: [0.5], isComparison: false },
  ])
})

it('never draws two currencies on one axis', () => {
  const rows = [
    { label: 'A', sum: money('1.00 USD') },
    { label: 'B', sum: money('100 JPY') },
    { label: 'C', sum: money('2.00 USD') },
  ]
  expect(dataOf(rows)).toMatchObject({ labels: ['A', 'C'], currency: 'usd' })
  expect(dataOf(rows, { currency: 'jpy' })).toMatchObject({
    labels: ['B'],
    currency: 'jpy',
    series: [{ points: [100] }],
  })
})

it('ignores a choice that the table does not have', () => {
  const rows = [{ name: 'A', count: 1 }]
  expect(dataOf(rows, { label: 'gone', values: ['gone'], currency: 'xxx' })).toEqual(dataOf(rows))
})

it('has no chart for rows without a number or without a label', () => {
  expect(dataOf([{ name: 'A' }])).toBeNull()
  expect(dataOf([{ count: 1 }])).toBeNull()
})

it('reads rates as per cent', () => {
  const data = dataOf([
    { label: '2026-01', refundRate: 0.0525 },
    { label: '2026-02', refundRate: 1 },
  ])
  expect(data).toMatchObject({ isRate: true, series: [{ points: [0.0525, 1] }] })
  expect(describeChart(data as NonNullable<typeof data>)).toContain('lowest 5.3% (2026-01), highest 100.0% (2026-02)')
})

it('writes money as the table does', () => {
  for (const formatted of ['1234567.50 USD', '-1234 JPY', '0.125 KWD']) {
    const rows = [{ name: 'A', sum: money(formatted) }]
    const [table] = findTables({ rows }) as [Table]
    const inTable = textOf(table.rows[0]?.[1] as Value)
    const data = dataOf(rows) as NonNullable<ReturnType<typeof dataOf>>
    expect(formatPoint(data.series[0]?.points[0] as number, data)).toBe(inTable)
  }
})

it('describes the chart in words', () => {
  const data = dataOf([
    { label: '2026-01', money: money('10.00 USD') },
    { label: '2026-02', money: money('1234.50 USD') },
  ])
  expect(describeChart(data as NonNullable<typeof data>)).toBe(
    'Line chart with 2 points, from 2026-01 to 2026-02. money: lowest $10.00 (2026-01), highest $1,234.50 (2026-02).',
  )
})

it('draws all series of a pivot, whatever their names are', () => {
  const points = ['2026-01', '2026-02'].map((label) => ({ label, value: 1 }))
  const [pivot] = findTables({ groups: ['Before', 'index'].map((label) => ({ label, points })) }) as [Table]
  const options = chartOptions(pivot)
  expect(options && chartOf(pivot, options, {})[0]).toMatchObject({
    kind: 'line',
    series: [
      { name: 'Before', points: [1, 1], isComparison: false },
      { name: 'index', points: [1, 1], isComparison: false },
    ],
  })
})
