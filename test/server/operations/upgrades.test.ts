import { pino } from 'pino'
import { expect, it } from 'vitest'
import { createUpgrades } from '../../../src/server/operations/upgrades.ts'
import { createTestApp } from '../../support/app.ts'
import { addMember, setUpOperator } from '../../support/people.ts'

const url = 'https://updates.acme.test/tributary.json'

/** What is known after one question, and the lines of the log. */
async function known(version: string, respond: () => Response | Promise<Response>) {
  const lines: { msg: string; newest?: string }[] = []
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line)) })
  const upgrades = createUpgrades({ url, version, log, fetch: async () => respond() })
  await upgrades.ask()
  await upgrades.ask()
  return { newer: upgrades.newer(), lines: lines.map(({ msg, newest }) => (newest ? `${msg} ${newest}` : msg)) }
}

it.each([
  ['1.2.3', '{"version":"1.3.0"}', '1.3.0'],
  ['1.2.3', 'v2.0.0\n', '2.0.0'],
  ['1.9.0', '"1.10.0"', '1.10.0'],
  ['1.2.3', '{"version":"1.2.3","notes":"none"}', null],
  ['1.2.3', '1.1.9', null],
])('running %s, an answer of %s', async (version, body, newer) => {
  expect(await known(version, () => new Response(body))).toEqual({
    newer,
    lines: newer ? [`newer version available ${newer}`] : [],
  })
})

it.each([
  ['a page', () => new Response('<html>')],
  ['another JSON', () => new Response('{"tag":"1.3.0"}')],
  ['a failure', () => new Response('1.3.0', { status: 500 })],
  ['too much', () => new Response('1'.repeat(70_000))],
  ['nothing at all', () => Promise.reject(new Error('unreachable'))],
])('%s is a warning, and no version', async (_, respond) => {
  expect(await known('1.2.3', respond)).toEqual({
    newer: null,
    lines: ['newest version not known', 'newest version not known'],
  })
})

it('operators are told of a newer version, other people are not', async () => {
  const test = await createTestApp({ newerVersion: () => '9.9.9' })
  const olga = await setUpOperator(test)
  const program = await test.createProgram()
  expect(await olga.graphql()('{ viewer { newerVersion } }')).toEqual({ viewer: { newerVersion: '9.9.9' } })
  expect(await test.operator('{ doctor(only: []) { newerVersion } }')).toEqual({ doctor: { newerVersion: '9.9.9' } })
  const mia = await addMember(test, olga, program.id, { email: 'mia@acme.test', role: 'OWNER' })
  expect(await mia.graphql(program.slug)('{ viewer { newerVersion } }')).toEqual({ viewer: { newerVersion: null } })
})
