import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { answerMalformed, receivingLimits } from '../../src/server/entrance/malformed.ts'
import { createTestApp } from '../support/app.ts'
import { itEvery } from '../support/cells.ts'
import { battery } from './battery.ts'
import { sendRaw } from './raw.ts'

const test = await createTestApp({ requestsPer30Seconds: 1_000_000 })
const program = await test.createProgram()
const server = createServer(receivingLimits, test.app.handle)
answerMalformed(server)
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)))
afterAll(() => server.close())
const portOf = () => (server.address() as AddressInfo).port

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')
const megabytesInUse = () => {
  collectGarbage()
  const { heapUsed, external } = process.memoryUsage()
  return (heapUsed + external) / 2 ** 20
}

it('has more than 120 attacks', () => {
  expect(battery.length).toBeGreaterThan(120)
  expect(new Set(battery.map(({ name }) => name)).size).toBe(battery.length)
})

itEvery(
  'every attack is answered, and the service goes on',
  battery,
  ({ name }) => name,
  async ({ parts, isHarmless }) => {
    const { status, text } = await sendRaw(portOf(), parts(program.secret))
    const refusal = isHarmless ? /^HTTP\/1\.1 [24]\d\d / : /^HTTP\/1\.1 (4\d\d |200 [\s\S]*\{"errors":\[)/
    expect(text.slice(0, 300)).toMatch(refusal)
    expect(status).toBeLessThan(500)
    expect(text.length).toBeLessThan(64 * 1024)
    expect(text).not.toMatch(/node_modules|TypeError|RangeError|prisma|\.ts:|\.js:/i)
    const next = await fetch(`http://127.0.0.1:${portOf()}/v1/affiliates?limit=1`, {
      headers: { Authorization: `Bearer ${program.secret}` },
    })
    expect(next.status).toBe(200)
  },
)

it('sent again, they leave less than 50 MB: what the first round left is in caches with limits', async () => {
  const before = megabytesInUse()
  for (const { parts } of battery) await sendRaw(portOf(), parts(program.secret))
  expect(megabytesInUse() - before).toBeLessThan(50)
})

it('prototypes are as they were', () => {
  expect(Object.keys(Object.prototype)).toEqual([])
  expect('email' in {}).toBe(false)
})
