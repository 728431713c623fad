import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isTimeZone } from '../../../src/kernel/input/time-zone.ts'
import { bucketsOf, comparedWith } from '../../../src/modules/analytics/buckets.ts'
import { intervals } from '../../../src/modules/analytics/intervals.ts'
import { average } from '../../../src/modules/analytics/metrics.ts'
import { presetSpan, rangePresets } from '../../../src/modules/analytics/range.ts'
import { type Grain, grains, partsOf, spansOf } from '../../../src/modules/analytics/segments.ts'

const at = (text: string) => Date.parse(text)
const iso = (ms: number) => new Date(ms).toISOString().replace(':00.000Z', 'Z')
const days = (from: string, to: string, zone: string) =>
  bucketsOf({ from: at(from), to: at(to) }, 'day', zone)?.map(({ label, start }) => `${label} ${iso(start)}`)

describe('days', () => {
  it.each([
    [
      'clocks forward: 23 hours',
      'Europe/Berlin',
      '2026-03-28T23:00Z',
      '2026-03-30T22:00Z',
      ['2026-03-29 2026-03-28T23:00Z', '2026-03-30 2026-03-29T22:00Z'],
    ],
    [
      'clocks back: 25 hours',
      'America/New_York',
      '2026-11-01T04:00Z',
      '2026-11-03T05:00Z',
      ['2026-11-01 2026-11-01T04:00Z', '2026-11-02 2026-11-02T05:00Z'],
    ],
    [
      'half an hour of summer time',
      'Australia/Lord_Howe',
      '2026-04-04T13:00Z',
      '2026-04-05T13:31Z',
      ['2026-04-05 2026-04-04T13:00Z', '2026-04-06 2026-04-05T13:30Z'],
    ],
    [
      'an offset of 5:45',
      'Asia/Kathmandu',
      '2026-01-01T18:15Z',
      '2026-01-02T18:16Z',
      ['2026-01-02 2026-01-01T18:15Z', '2026-01-03 2026-01-02T18:15Z'],
    ],
    [
      'a midnight that is skipped',
      'Asia/Beirut',
      '2026-03-28T22:00Z',
      '2026-03-29T21:01Z',
      ['2026-03-29 2026-03-28T22:00Z', '2026-03-30 2026-03-29T21:00Z'],
    ],
    [
      'a midnight that occurs twice',
      'America/Havana',
      '2025-11-02T04:00Z',
      '2025-11-03T05:01Z',
      ['2025-11-02 2025-11-02T04:00Z', '2025-11-03 2025-11-03T05:00Z'],
    ],
    [
      'a day that is skipped',
      'Pacific/Apia',
      '2011-12-29T10:00Z',
      '2011-12-31T10:00Z',
      ['2011-12-29 2011-12-29T10:00Z', '2011-12-30 2011-12-30T10:00Z', '2011-12-31 2011-12-30T10:00Z'],
    ],
  ])('%s', (_, zone, from, to, expected) => {
    expect(days(from, to, zone)).toEqual(expected)
  })
})

it('names weeks by ISO 8601, from Monday, and quarters', () => {
  const labels = (interval: 'week' | 'quarter', from: string, to: string) =>
    bucketsOf({ from: at(from), to: at(to) }, interval, 'UTC')?.map(({ label }) => label)
  expect(labels('week', '2024-12-29', '2025-01-07')).toEqual(['2024-W52', '2025-W01', '2025-W02'])
  expect(labels('week', '2026-12-28', '2027-01-05')).toEqual(['2026-W53', '2027-W01'])
  expect(labels('quarter', '2026-03-31', '2026-07-01T00:00:00.001Z')).toEqual(['2026-Q1', '2026-Q2', '2026-Q3'])
})

const zones = [
  'UTC',
  'Europe/Berlin',
  'Asia/Kathmandu',
  'America/Havana',
  'Africa/Cairo',
  'Pacific/Apia',
  'Africa/Monrovia',
]
const moment = fc.integer({ min: 0, max: at('2050-01-01') })
const span = fc
  .tuple(moment, fc.integer({ min: 1, max: 400 * 86_400_000 }))
  .map(([from, length]) => ({ from, to: from + length }))

it('buckets cover the range without gaps or overlaps', () => {
  fc.assert(
    fc.property(span, fc.constantFrom(...zones), fc.constantFrom(...intervals), (range, zone, interval) => {
      const buckets = bucketsOf(range, interval, zone) ?? []
      expect(buckets[0]?.from).toBe(range.from)
      expect(buckets.at(-1)?.to).toBe(range.to)
      for (const [n, bucket] of buckets.entries()) expect(bucket.to).toBe(buckets[n + 1]?.from ?? range.to)
    }),
    { numRuns: 150 },
  )
})

it('rollup rows and edges, added and taken away, count each time once, in its bucket', () => {
  const unit = { quarter_hour: 900_000, hour: 3_600_000, day: 86_400_000, month: 86_400_000, year: 86_400_000 }
  const grainsOf = fc.constantFrom<readonly [Grain, ...Grain[]]>(grains, ['year', 'month', 'day'])
  fc.assert(
    fc.property(
      span,
      fc.constantFrom(...zones),
      fc.constantFrom(...intervals),
      grainsOf,
      (range, zone, interval, ofRollup) => {
        const buckets = bucketsOf(range, interval, zone) ?? []
        const { segments, regions, edges } = partsOf(buckets, ofRollup)
        for (const { from, to, grain } of segments) expect([from % unit[grain], to % unit[grain]]).toEqual([0, 0])
        for (const places of [regions, edges])
          for (const [n, { from, to }] of places.entries()) {
            expect(from).toBeLessThan(to)
            expect(to).toBeLessThanOrEqual(places[n + 1]?.from ?? to)
          }
        for (const edge of edges)
          expect(spansOf(edges).some(({ from, to }) => from <= edge.from && edge.to <= to)).toBe(true)
        const signed = edges.flatMap(({ of, ...edge }) => of.map((part) => ({ ...edge, ...part })))
        const countAt = (ms: number, parts: { from: number; to: number; bucket: number; sign: number }[]) => {
          const counts = new Map<number, number>()
          for (const { from, to, bucket, sign } of parts)
            if (from <= ms && ms < to) counts.set(bucket, (counts.get(bucket) ?? 0) + sign)
          return [...counts].filter(([, count]) => count !== 0)
        }
        const ofRegions = regions.map((region) => ({ ...region, sign: 1 }))
        for (const { from, to } of [...buckets.slice(0, 3), ...buckets.slice(-3)])
          for (const ms of [from - 1, from, Math.floor((from + to) / 2), to - 1, to]) {
            const bucket = buckets.findIndex((one) => one.from <= ms && ms < one.to)
            expect(countAt(ms, [...segments, ...signed])).toEqual(bucket === -1 ? [] : [[bucket, 1]])
            expect(countAt(ms, segments)).toEqual(countAt(ms, ofRegions))
          }
      },
    ),
    { numRuns: 150 },
  )
})

it('compares each point with the previous period of the same length, or with the previous year', () => {
  const compared = (
    interval: 'day' | 'week' | 'month',
    comparison: 'previous_period' | 'previous_year',
    from: string,
    to: string,
  ) => {
    const buckets = bucketsOf({ from: at(from), to: at(to) }, interval, 'Europe/Berlin') ?? []
    return comparedWith(buckets, interval, comparison, 'Europe/Berlin').map(({ from, to }) => `${iso(from)} ${iso(to)}`)
  }
  expect(compared('day', 'previous_period', '2026-03-29T22:00Z', '2026-03-31T12:00Z')).toEqual([
    '2026-03-27T23:00Z 2026-03-28T23:00Z',
    '2026-03-28T23:00Z 2026-03-29T12:00Z',
  ])
  expect(compared('day', 'previous_year', '2024-02-27T23:00Z', '2024-02-29T23:00Z')).toEqual([
    '2023-02-27T23:00Z 2023-02-28T23:00Z',
    '2023-02-27T23:00Z 2023-02-28T23:00Z',
  ])
  expect(compared('week', 'previous_year', '2026-03-08T23:00Z', '2026-03-15T23:00Z')).toEqual([
    '2025-03-09T23:00Z 2025-03-16T23:00Z',
  ])
  expect(compared('month', 'previous_period', '2026-03-31T22:00Z', '2026-04-30T22:00Z')).toEqual([
    '2026-02-28T23:00Z 2026-03-31T22:00Z',
  ])
})

it("presets are whole days of the time zone, relative to the zone's current day", () => {
  const now = new Date('2026-03-31T23:30:00Z')
  const presetsIn = (zone: string) =>
    Object.fromEntries(
      rangePresets.map((preset) => {
        const { from, to } = presetSpan(preset, now, zone)
        return [preset, `${iso(from)} ${iso(to)}`]
      }),
    )
  expect(presetsIn('Europe/Berlin')).toEqual({
    today: '2026-03-31T22:00Z 2026-04-01T22:00Z',
    yesterday: '2026-03-30T22:00Z 2026-03-31T22:00Z',
    last_7_days: '2026-03-25T23:00Z 2026-04-01T22:00Z',
    last_30_days: '2026-03-02T23:00Z 2026-04-01T22:00Z',
    last_90_days: '2026-01-01T23:00Z 2026-04-01T22:00Z',
    this_month: '2026-03-31T22:00Z 2026-04-30T22:00Z',
    last_month: '2026-02-28T23:00Z 2026-03-31T22:00Z',
    this_quarter: '2026-03-31T22:00Z 2026-06-30T22:00Z',
    last_quarter: '2025-12-31T23:00Z 2026-03-31T22:00Z',
    this_year: '2025-12-31T23:00Z 2026-12-31T23:00Z',
    last_year: '2024-12-31T23:00Z 2025-12-31T23:00Z',
    last_12_months: '2025-04-30T22:00Z 2026-04-30T22:00Z',
  })
  expect(presetsIn('UTC').this_month).toBe('2026-03-01T00:00Z 2026-04-01T00:00Z')
})

it('accepts only names of the tz database as time zones', () => {
  expect(['UTC', 'Europe/Berlin', 'America/Argentina/Buenos_Aires', 'Etc/GMT+5'].map(isTimeZone)).toEqual(
    Array(4).fill(true),
  )
  expect(['', '+02:00', 'Europe/Atlantis', "UTC'; drop", '../etc'].map(isTimeZone)).toEqual(Array(5).fill(false))
})

it('rounds averages half up, also negative ones', () => {
  expect([3n, -3n, 1n, -1n, 5n, -5n, 0n].map((sum) => average(sum, 2n))).toEqual([2n, -1n, 1n, 0n, 3n, -2n, 0n])
  expect(average(-7n, 3n)).toBe(-2n)
  expect(average(1n, 0n)).toBeNull()
})
