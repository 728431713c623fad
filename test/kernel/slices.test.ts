import { expect, it, onTestFinished } from 'vitest'
import { giveWay, setOthersAreActive } from '../../src/kernel/slices.ts'

const work = (ms: number) => {
  for (const until = performance.now() + ms; performance.now() < until; );
}

/** Which ends first after work of so many milliseconds: giving way, or a timer of 5 ms. */
async function firstAfterWork(ms: number): Promise<'work' | 'timer'> {
  work(50)
  await giveWay()
  work(ms)
  return Promise.race([
    giveWay().then(() => 'work' as const),
    new Promise<'timer'>((resolve) => setTimeout(() => resolve('timer'), 5)),
  ])
}

it('work in slices pauses by time: after it has worked for long, while requests of several programs are active', async () => {
  setOthersAreActive(() => true)
  onTestFinished(() => setOthersAreActive(() => false))
  expect(await firstAfterWork(50)).toBe('timer')
  expect(await firstAfterWork(1)).toBe('work')
  setOthersAreActive(() => false)
  expect(await firstAfterWork(50)).toBe('work')
})

it('work in slices ends when its client has gone, and other work continues', async () => {
  const gone = new AbortController()
  const working = giveWay({ signal: gone.signal })
  const other = giveWay({ signal: new AbortController().signal })
  gone.abort()
  await expect(working).rejects.toThrow('The client closed the connection')
  await other
  await giveWay()
})

it('what gives way at once continues in the order of arrival', async () => {
  setOthersAreActive(() => true)
  onTestFinished(() => setOthersAreActive(() => false))
  const ended: number[] = []
  work(50)
  await Promise.all([0, 1, 2].map((n) => giveWay().then(() => ended.push(n))))
  expect(ended).toEqual([0, 1, 2])
})
