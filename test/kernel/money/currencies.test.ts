import { expect, it } from 'vitest'
import { normalizeCurrency } from '../../../src/kernel/money/currencies.ts'

it.each(['usd', 'USD', 'Usd', ' usd '])('reads %j as usd', (code) => expect(normalizeCurrency(code)).toBe('usd'))

it.each(['eur', 'gbp', 'jpy', 'chf', 'brl', 'inr', 'kwd', 'clp', 'zar', 'xof'])('accepts %s', (code) => {
  expect(normalizeCurrency(code)).toBe(code)
})

it.each(['', 'us', 'usdt', 'zzz', 'dollar', '$', 'u$d', '__proto__', '840'])('rejects %j', (code) => {
  expect(normalizeCurrency(code)).toBeNull()
})
