import { expect, it } from 'vitest'
import { maskEmail, maskName } from '../../../src/modules/customers/mask.ts'

it.each([
  ['ada@example.com', 'a•••@example.com'],
  ['a@example.com', '•••@example.com'],
  ['émilie@exämple.fr', 'é•••@exämple.fr'],
  ['𝒜da@example.com', '𝒜•••@example.com'],
  ['"a@b"@example.com', '"•••@example.com'],
  ['no address', '•••'],
])('maskEmail turns %s into %s', (email, masked) => {
  expect(maskEmail(email)).toBe(masked)
})

it.each([
  ['Ada Lovelace', 'A••• L•••'],
  ['  Ada   King Lovelace ', 'A••• K••• L•••'],
  ['李 小龍', '李••• 小•••'],
  ['', ''],
])('maskName turns "%s" into "%s"', (name, masked) => {
  expect(maskName(name)).toBe(masked)
})
