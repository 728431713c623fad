import { expect, it } from 'vitest'
import { hashSecret, isWellFormedSecret, mintSecret } from '../../../../src/modules/access/api-keys/secret.ts'

it('has a fixed prefix and at least 190 random bits before its checksum', () => {
  const secrets = Array.from({ length: 500 }, mintSecret)
  expect(new Set(secrets).size).toBe(500)
  for (const secret of secrets) {
    expect(secret).toMatch(/^trib_sk_[0-9A-Za-z]{49}$/)
    expect(isWellFormedSecret(secret)).toBe(true)
  }
  // Every position varies. A fixed position would show only one character.
  const random = secrets.map((secret) => secret.slice('trib_sk_'.length, -6))
  const places = Array.from({ length: 43 }, (_, place) => new Set(random.map((digits) => digits[place])).size)
  expect(places.filter((digits) => digits > 40).length * Math.log2(62)).toBeGreaterThan(190)
})

it('is not well formed if any character is changed, removed or added', () => {
  const secret = mintSecret()
  for (let place = 0; place < secret.length; place++) {
    const other = secret[place] === 'x' ? 'y' : 'x'
    expect(isWellFormedSecret(secret.slice(0, place) + other + secret.slice(place + 1))).toBe(false)
    expect(isWellFormedSecret(secret.slice(0, place) + secret.slice(place + 1))).toBe(false)
  }
  expect(isWellFormedSecret(`${secret}0`)).toBe(false)
  expect(isWellFormedSecret('')).toBe(false)
})

it('is hashed with SHA-256', () => {
  expect(hashSecret('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
})
