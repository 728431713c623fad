import { expect, it, onTestFinished } from 'vitest'
import { giveWay, setOthersAreActive } from '../../src/kernel/slices.ts'

const workedMs = 10

/** Works as long as a slice does, and returns how long the pause after it was. */
async function pauseAfterWork(): Promise<number> {
  await giveWay()
  for (const until = performance.now() + workedMs; performance.now() < until; );
  const startedAt = performance.now()
  await giveWay()
  return performance.now() - startedAt
}

it('work in slices pauses for longer than it works while requests of several programs are active', async () => {
  setOthersAreActive(() => true)
  onTestFinished(() => setOthersAreActive(() => false))
  expect(await pauseAfterWork()).toBeGreaterThan(2 * workedMs)
})

it('what gives way at once continues in the order of arrival', async () => {
  setOthersAreActive(() => true)
  onTestFinished(() => setOthersAreActive(() => false))
  const ended: number[] = []
  for (const until = performance.now() + workedMs; performance.now() < until; );
  await Promise.all([0, 1, 2].map((n) => giveWay().then(() => ended.push(n))))
  expect(ended).toEqual([0, 1, 2])
})
