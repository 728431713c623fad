import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, describe } from 'vitest'
import { createTestApp } from '../../support/app.ts'
import { itEvery } from '../../support/cells.ts'
import { copyProgram } from '../../support/copy-program.ts'
import { createSupersetKey } from './keys.ts'
import { createWorld, replay, socketTo } from './replay.ts'
import { bodies } from './samples/bodies.ts'
import { changes } from './samples/changes.ts'
import { queries } from './samples/queries.ts'
import type { Sample } from './samples/sample.ts'

const test = await createTestApp()
const server = createServer(test.app.handle)
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
afterAll(() => new Promise<void>((resolve) => void server.close(() => resolve())))
const { port } = server.address() as AddressInfo

const template = await test.createProgram()
const names = await createWorld(template)

async function createSender(profile: 'contract' | 'superset'): Promise<string> {
  const program = await copyProgram(test, template)
  return profile === 'contract' ? program.secret : (await createSupersetKey(test, program)).secret
}

const samples: readonly Sample[] = [...bodies, ...queries, ...changes]

describe.each([
  ['over a socket, with a key of the contract profile', socketTo(port), 'contract'],
  ['over a socket, with a key of the superset profile', socketTo(port), 'superset'],
] as const)('%s', (_how, wire, profile) => {
  let shared: Promise<string> | undefined
  let reads = 0

  itEvery(
    'every sample',
    samples,
    ({ name, send }) => `${name}: ${send}`,
    async (sample) => {
      const isRead = sample.send.startsWith('GET')
      // Reads share a program. Each 40 reads get a new one, because of the superset's rate limit.
      if (isRead && reads++ % 40 === 0) shared = createSender(profile)
      const secret = await ((isRead && shared) || createSender(profile))
      await replay(sample, names, wire, secret, profile)
    },
  )
})
