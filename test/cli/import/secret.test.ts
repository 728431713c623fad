import { expect, it } from 'vitest'
import { createRedaction } from '../../../src/cli/import/secret.ts'

const key = 'k3y+with/odd=signs'
const base64 = (text: string) => Buffer.from(text).toString('base64')

it.each([
  ['as it is', key],
  ['as the header of a request', `Basic ${base64(`${key}:`)}`],
  ['in Base64', base64(key)],
  ['in Base64 without padding', base64(`${key}:x`).replace(/=+$/, '')],
  ['in Base64 behind other text', base64(`user:${key}`)],
  ['in Base64url', Buffer.from(`${key}:`).toString('base64url')],
  ['URL-encoded', encodeURIComponent(key)],
  ['URL-encoded in lower case', encodeURIComponent(key).toLowerCase()],
  ['URL-encoded twice', encodeURIComponent(encodeURIComponent(key))],
  ['with every letter encoded', [...key].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join('')],
  ['in hexadecimal', Buffer.from(key).toString('hex')],
])('removes a key %s, and nothing else', (_form, form) => {
  const text = createRedaction(key)(`The state "${form}" of https://old.test/v1/affiliates?page=1&a=100%25 is unknown.`)
  expect(text).toMatch(/^The state "(Basic )?…" of https:\/\/old\.test\/v1\/affiliates\?page=1&a=100%25 is unknown\.$/)
})
