import { expect, test } from 'vitest'
import { isId, mintId } from '../../src/kernel/ids.ts'

const at = new Date('2026-03-04T05:06:07.089Z')

test('an id is a lower-case UUIDv7 that carries its time', () => {
  const id = mintId(at)
  expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(Number.parseInt(id.replace('-', '').slice(0, 12), 16)).toBe(at.getTime())
})

test('ids of one millisecond grow strictly, also when other times were minted between', () => {
  const ids = Array.from({ length: 10_000 }, (_, n) => {
    if (n % 3 === 0) mintId(new Date(at.getTime() + 1_000))
    if (n % 5 === 0) mintId(new Date(at.getTime() - 1_000))
    return mintId(at)
  })
  expect(ids).toEqual(ids.toSorted())
  expect(new Set(ids).size).toBe(ids.length)
})

test('an id of a later millisecond is greater', () => {
  expect(mintId(new Date(at.getTime() + 1)) > mintId(at)).toBe(true)
})

test.each(['', 'x', '0190163d-8694-739b-aea5-966c26f8ad9', '0190163D-8694-739B-AEA5-966C26F8AD91', "' OR 1=1 --"])(
  '%j is no id',
  (value) => expect(isId(value)).toBe(false),
)

test('an id is an id', () => expect(isId(mintId(at))).toBe(true))
