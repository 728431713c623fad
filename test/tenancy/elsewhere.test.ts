import { expect, it } from 'vitest'
import { createTestApp } from '../support/app.ts'
import { addMember, setUpOperator } from '../support/people.ts'
import { createPage } from '../support/tracking.ts'
import { comparable, createWorld, rowsOf, unknownOf, unknownWord } from './world.ts'

// What refers to a program outside of REST and of GraphQL's arguments: headers and the tracking endpoints.

const test = await createTestApp({ tracking: { trustedProxies: 1 } })
const theirs = createWorld(test, await test.createProgram(), 'zephyr')
const own = createWorld(test, await test.createProgram(), 'quokka')
for (const world of [theirs, own])
  for (const kind of ['referral', 'visit', 'commission'] as const) await world.get(kind)
const before = await rowsOf(test, theirs.program.id)

it.each(['programSlug', 'program'] as const)(
  'X-Program-Id with a %s opens only programs of the person',
  async (kind) => {
    const olga = await setUpOperator(test, `olga-${kind}@example.com`)
    const person = { email: `quokka-${kind}@example.com`, role: 'OWNER' }
    const owner = await addMember(test, olga, own.program.slug, person)
    const ask = async (value: string) => {
      const answer = await owner
        .graphql(value)('{ program { id } }')
        .catch(({ errors }) => errors)
      return comparable(JSON.stringify(answer), value, [theirs.word, unknownWord], own)
    }
    const foreign = await theirs.get(kind)
    const unknown = kind === 'programSlug' ? 'no-such-program' : unknownOf(theirs, foreign)
    expect(await ask(foreign)).toBe(await ask(unknown))
    expect(await ask(await own.get(kind))).not.toBe(await ask(unknown))
    expect(await rowsOf(test, theirs.program.id)).toBe(before)
  },
)

it.each([
  ['visit', 'linkToken', 'visit'],
  ['takeOver', 'visit', 'takeOver'],
  ['lead', 'visit', 'lead'],
] as const)('the tracking endpoint for %s knows no %s of another program', async (_label, kind, call) => {
  const page = createPage(test.app, own.program)
  const ask = async (value: string) => {
    const { status, body } = await page[call](value)
    await test.app.flush()
    return comparable(`${status} ${JSON.stringify(body)}`, value, [theirs.word, unknownWord], own)
  }
  const foreign = await theirs.get(kind)
  const forUnknown = await ask(unknownOf(theirs, foreign))
  expect(await ask(foreign)).toBe(forUnknown)
  expect(await ask(await own.get(kind))).not.toBe(forUnknown)
  expect(await rowsOf(test, theirs.program.id)).toBe(before)
})

it('a link of another program does not lead there', async () => {
  const ask = async (token: string) => {
    const path = `http://localhost:4000/r/${own.program.slug}/${token}`
    const { status, headers } = await test.app.fetch(new Request(path, { redirect: 'manual' }))
    return `${status} ${headers.get('location')?.replaceAll(token, '<sent>')}`
  }
  const foreign = await theirs.get('linkToken')
  const forUnknown = await ask(unknownOf(theirs, foreign))
  expect(await ask(foreign)).toBe(forUnknown)
  expect(await ask(await own.get('linkToken'))).not.toBe(forUnknown)
  await test.app.flush()
  expect(await rowsOf(test, theirs.program.id)).toBe(before)
})

it("another program's Idempotency-Key is a key of its own", async () => {
  const send = ({ program }: typeof own, name: string) =>
    program.send('/campaigns', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Idempotency-Key': 'the-same-key' },
      body: JSON.stringify({ name, url: 'https://acme.test', commission_percent: 5 }),
    })
  const first = await send(theirs, 'Theirs')
  const second = await send(own, 'Own')
  expect([first.status, second.status]).toEqual([201, 201])
  expect(second.body.name).toBe('Own')
  expect(second.headers.has('idempotent-replayed')).toBe(false)
})
