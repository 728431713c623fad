import { expect, it } from 'vitest'
import { addressedMethods, addressFieldNames } from '../../../src/modules/payout-methods/addresses.ts'
import { methods } from '../../../src/modules/payout-methods/all.ts'
import { methodOf, recipientOf } from '../../../src/modules/payout-methods/choose.ts'

const nowhere = Object.assign({ preferredPayoutMethod: null }, ...addressFieldNames.map((name) => ({ [name]: null })))

it('a word of two services means the same for a payment', () => {
  const meanings = new Map<string, string>()
  for (const { report } of Object.values(methods))
    for (const [word, state] of Object.entries(report.words ?? {})) {
      expect.soft(`${word}: ${meanings.get(word) ?? state}`).toBe(`${word}: ${state}`)
      meanings.set(word, state)
    }
})

it('an affiliate with one address is paid by its method', () => {
  for (const { method, paid } of addressedMethods) {
    const payee = { ...nowhere, [paid]: 'there' }
    expect.soft(recipientOf(payee, method)).toBe('there')
    for (const { method: byDefault } of addressedMethods)
      expect.soft(methodOf(payee, byDefault)).toEqual({ method, isByDefault: false })
  }
  expect(methodOf(nowhere, 'manual')).toEqual({ method: null, isByDefault: false })
})
