import { readFileSync } from 'node:fs'
import { buildSchema, isObjectType } from 'graphql'
import { expect, it } from 'vitest'
import { readValue, textOf } from '../../../../src/pages/parts/result/values.ts'

const money = buildSchema(readFileSync('schema.graphql', 'utf8')).getType('Money')
// A converted amount is another amount, and not a field of this one.
const names = isObjectType(money) ? Object.keys(money.getFields()).filter((name) => name !== 'converted') : []
const amount: Record<string, unknown> = { amountCents: 1470, cents: 1470, currency: 'eur', formatted: '14.70 EUR' }
const selections = Array.from({ length: 2 ** names.length }, (_, bits) =>
  names.filter((_name, index) => bits & (1 << index)),
).filter((set) => set.includes('formatted') || (set.includes('currency') && set.length > 1))

it.each(selections.map((set) => ({ set })))(
  'an amount is one value, whichever of its fields are selected: $set',
  ({ set }) => {
    const selected = Object.fromEntries(set.map((name) => [name, amount[name]]))
    const value = readValue(selected)
    expect(value).toMatchObject({ kind: 'money', amount: '14.70', currency: 'eur', minorUnits: 1470 })
    expect(textOf(value)).toBe('€14.70')
  },
)
