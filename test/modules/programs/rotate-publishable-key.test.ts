import { describe, expect, it } from 'vitest'
import { createTestApp } from '../../support/app.ts'
import { createAffiliate } from '../../support/factories.ts'
import { createPage, roomy } from '../../support/tracking.ts'

const app = await createTestApp({ tracking: roomy })
const rotate = `mutation ($programId: ID, $hours: Int) {
  rotatePublishableKey(input: { programId: $programId, keepOldForHours: $hours }) { program { id publishableKey previousPublishableKeyEndsAt } }
}`
const failure = (run: Promise<unknown>) =>
  run.then(
    () => expect.unreachable('it was not refused'),
    (error) => error.errors[0].extensions,
  )
async function setUp() {
  const program = await app.createProgram()
  await createAffiliate(program, { token: 'ada' })
  const works = async (publishableKey: string) => {
    const { status } = await createPage(app.app, { publishableKey }).visit('ada', { visitor: publishableKey })
    return status === 401 ? false : status < 300 || status
  }
  return { program, works }
}

describe('rotating the publishable key', () => {
  it('with an API key of the program: both work for a day, then only the new one', async () => {
    const { program, works } = await setUp()
    expect(await works(program.publishableKey)).toBe(true)
    const { program: rotated } = (await program.graphql(rotate)).rotatePublishableKey
    expect(rotated).toEqual({
      id: program.id,
      publishableKey: expect.stringMatching(/^trib_pk_[0-9a-z]{32}$/),
      previousPublishableKeyEndsAt: new Date(app.clock.now.getTime() + 86_400_000).toISOString(),
    })
    expect(rotated.publishableKey).not.toBe(program.publishableKey)
    app.clock.advanceMinutes(24 * 60 - 1)
    expect([await works(program.publishableKey), await works(rotated.publishableKey)]).toEqual([true, true])
    app.clock.advanceMinutes(1)
    expect([await works(program.publishableKey), await works(rotated.publishableKey)]).toEqual([false, true])
  })

  it('by the operator, with 0 hours: the old one ends at once', async () => {
    const { program, works } = await setUp()
    expect(await works(program.publishableKey)).toBe(true)
    const { program: rotated } = (await app.operator(rotate, { programId: program.id, hours: 0 })).rotatePublishableKey
    expect(rotated.previousPublishableKeyEndsAt).toBe(null)
    expect([await works(program.publishableKey), await works(rotated.publishableKey)]).toEqual([false, true])
  })

  it('twice ends the first key, even if its hours are not over', async () => {
    const { program, works } = await setUp()
    const first = await program.graphql(rotate, { hours: 100 })
    const second = await program.graphql(rotate, { hours: 1 })
    expect(await works(program.publishableKey)).toBe(false)
    expect(await works(first.rotatePublishableKey.program.publishableKey)).toBe(true)
    expect(await works(second.rotatePublishableKey.program.publishableKey)).toBe(true)
  })

  it.each([-1, 2161])('is rejected for %s hours', async (hours) => {
    const { program } = await setUp()
    expect(await failure(program.graphql(rotate, { hours }))).toMatchObject({ code: 'INVALID_INPUT' })
  })

  it('returns NOT_FOUND for another program', async () => {
    const [own, other] = [await app.createProgram(), await app.createProgram()]
    expect(await failure(own.graphql(rotate, { programId: other.id }))).toMatchObject({ code: 'NOT_FOUND' })
    expect((await own.graphql(rotate, { programId: own.id })).rotatePublishableKey.program.id).toBe(own.id)
  })
})
