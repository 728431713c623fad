import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createTurns, type Turns, takeTurn } from '../../src/server/limits/turns.ts'
import { createTestApp } from '../support/app.ts'

const app = await createTestApp()
const program = await app.createProgram()

it('answers every request of a burst', async () => {
  const answers = await Promise.all(Array.from({ length: 500 }, () => program.get('/campaigns')))
  expect(answers.every(({ status }) => status === 200)).toBe(true)
})

it('health checks do not wait for a turn', async () => {
  let answered = 0
  const burst = Array.from({ length: 200 }, () => program.get('/campaigns').then(() => answered++))
  const health = await app.app.fetch(new Request('http://localhost:4000/healthz'))
  expect(health.status).toBe(200)
  expect(answered).toBeLessThan(200)
  await Promise.all(burst)
})

it('failed requests release their turn', async () => {
  const refused = Array.from({ length: 100 }, () => app.app.fetch(new Request('http://localhost:4000/v1/campaigns')))
  for (const { status } of await Promise.all(refused)) expect(status).toBe(401)
  const broken = Array.from({ length: 100 }, () => program.send('/campaigns', { method: 'POST', body: '<a/>' }))
  for (const { status } of await Promise.all(broken)) expect(status).toBe(415)
  expect((await program.get('/campaigns')).status).toBe(200)
})

/** Every turn is short, however busy the machine is. */
function stopClock(): void {
  const clock = vi.spyOn(performance, 'now').mockReturnValue(1)
  onTestFinished(() => clock.mockRestore())
}

describe('turns', () => {
  /** Takes a turn for each name, `program/key`. The order in which they begin is `began`; `next` ends the oldest turn. */
  function queued(turns: Turns, names: readonly string[]) {
    const began: string[] = []
    const releases: (() => void)[] = []
    const taking = names.map(async (name) => {
      const [program = '', key = ''] = name.split('/')
      const release = await turns.take({ holder: { program, key } })
      began.push(name)
      if (release) releases.push(release)
    })
    const settled = () => new Promise<void>((resolve) => setImmediate(resolve))
    return {
      began,
      settled,
      running: () => releases.length,
      next: async () => {
        releases.shift()?.()
        await settled()
      },
      all: async () => {
        for (let n = 0; n < names.length; n += 1) {
          await settled()
          releases.shift()?.()
        }
        await Promise.all(taking)
      },
    }
  }

  it('go to programs in rotation, in a program to its keys, and for a key in the order of arrival', async () => {
    stopClock()
    const flood = ['a/1', 'a/1', 'a/1', 'a/1', 'a/2', 'a/2']
    const { began, all } = queued(createTurns(1), [...flood, 'b/1', 'c/1', 'b/1'])
    await all()
    expect(began).toEqual(['a/1', 'a/1', 'b/1', 'c/1', 'a/2', 'b/1', 'a/1', 'a/2', 'a/1'])
  })

  it('are left for other programs, however many of one program wait', async () => {
    stopClock()
    const { began, settled, next } = queued(createTurns(4, 3), [...Array<string>(10).fill('a/1'), 'b/1'])
    await settled()
    expect(began).toEqual(['a/1', 'a/1', 'a/1', 'b/1'])
    await next()
    expect(began.slice(4)).toEqual(['a/1'])
  })

  it('are few for one program while others are active, and many while it is alone', async () => {
    stopClock()
    const turns = createTurns(8, 4, 2)
    const { began, settled, next } = queued(turns, Array<string>(10).fill('a/1'))
    await settled()
    expect(began).toHaveLength(4)
    const quiet = await turns.take({ holder: { program: 'b', key: '1' } })
    quiet?.()
    // Two of the four end before another one begins.
    for (const expected of [4, 4, 5, 6]) {
      await next()
      expect(began).toHaveLength(expected)
    }
  })

  it('are many again when the last request of another program ended a while ago', async () => {
    const turns = createTurns(8, 4, 1)
    const quiet = await turns.take({ holder: { program: 'b', key: '1' } })
    const { settled, next, running } = queued(turns, Array<string>(200).fill('a/1'))
    await settled()
    expect(running()).toBe(1)
    quiet?.()
    await next()
    expect(running()).toBe(1)
    await expect.poll(() => next().then(running)).toBe(4)
  })

  it('are shared from the first turn of a second program until a while after its last one', async () => {
    const turns = createTurns(8)
    const take = (program: string) => turns.take({ holder: { program, key: '1' } })
    const [flooding, keyless] = [await take('a'), await take('')]
    expect(turns.isShared()).toBe(false)
    const quiet = await take('b')
    expect(turns.isShared()).toBe(true)
    quiet?.()
    expect(turns.isShared()).toBe(true)
    await expect.poll(turns.isShared).toBe(false)
    flooding?.()
    keyless?.()
  })

  it('that were long are followed by a pause while a request of another program runs, and those of the other are not', async () => {
    const turns = createTurns(8, 4, 1)
    const takeQuiet = () => turns.take({ holder: { program: 'b', key: '1' } })
    const quiet = await takeQuiet()
    const { began, settled, next } = queued(turns, Array<string>(3).fill('a/1'))
    await settled()
    await pause(20)
    await next()
    expect(began).toHaveLength(1)
    quiet?.()
    expect(turns.takeNow({ program: 'b', key: '1' })).not.toBeNull()
    await expect.poll(() => began).toHaveLength(2)
  })

  it('that were long are followed by the next at once while no request of another program runs', async () => {
    const turns = createTurns(8, 4, 1)
    const quiet = await turns.take({ holder: { program: 'b', key: '1' } })
    quiet?.()
    const { began, settled, next } = queued(turns, Array<string>(3).fill('a/1'))
    await settled()
    await pause(20)
    await next()
    expect(began).toHaveLength(2)
  })

  it('of requests without a program leave the others as they are', async () => {
    const turns = createTurns(8, 4, 2)
    await turns.take()
    expect(await Promise.all(Array.from({ length: 4 }, () => turns.takeNow({ program: 'a', key: '1' })))).not.toContain(
      null,
    )
  })

  it('of requests that have gone away are given to the next', async () => {
    const turns = createTurns(1)
    const release = await turns.take({ holder: { program: 'a', key: '1' } })
    const gone = new AbortController()
    const abandoned = turns.take({ holder: { program: 'b', key: '1' }, signal: gone.signal })
    const waiting = turns.take({ holder: { program: 'c', key: '1' } })
    const leaving = takeTurn(turns, { signal: gone.signal })
    gone.abort()
    expect(await abandoned).toBeNull()
    // The service has not failed: nobody can cause 5xx by going away.
    await expect(leaving).rejects.toMatchObject({ code: 'BAD_REQUEST' })
    release?.()
    expect(await waiting).not.toBeNull()
  })
})
