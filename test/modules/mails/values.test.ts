import { expect, it } from 'vitest'
import { writtenDate, writtenSum, writtenTime } from '../../../src/modules/mails/template-values.ts'

it.each([
  ['en-US', { usd: 1000n }, '$10.00'],
  ['en-US', { eur: 1000n, jpy: 500n, kwd: 9025n }, '€10.00 + ¥500 + KWD\u00a09.025'],
  // The program's currency is first.
  ['en-US', { eur: 1000n, usd: 250n }, '$2.50 + €10.00'],
  ['en-US', { eur: 0n, gbp: 250n }, '£2.50'],
  // Nothing is nothing in the currency of the program, whatever currency has other amounts.
  ['en-US', { eur: 0n }, '$0.00'],
  ['de-DE', {}, '0,00\u00a0$'],
])('amounts of several currencies are one text: %s', (locale, sums, text) => {
  const rows = Object.entries(sums).map(([currency, cents]) => ({ currency, cents }))
  expect(writtenSum(rows, { currency: 'usd' }, locale)).toBe(text)
})

it.each([
  ['en-US', 'UTC', 'November 26, 2026', 'November 26, 2026 at 11:46 PM UTC'],
  ['de-DE', 'Europe/Berlin', '27. November 2026', '27. November 2026 um 00:46 MEZ'],
  ['ja-JP', 'Asia/Tokyo', '2026年11月27日', '2026年11月27日 8:46 JST'],
])('%s in %s: days and times are those of the program, without seconds', (locale, timeZone, day, time) => {
  const at = new Date('2026-11-26T23:46:57Z')
  expect([writtenDate(at, { timeZone }, locale), writtenTime(at, { timeZone }, locale)]).toEqual([day, time])
})
