import { expect, test, vi } from 'vitest'
import { repeatInBackground } from '../../src/database/upkeep/background.ts'
import { silentLog } from '../support/database.ts'

test('a stop waits for the running task, which sees the stop, and nothing runs afterwards', async () => {
  let finish = () => {}
  let isTold: (() => boolean) | undefined
  const run = vi.fn(
    (isStopped: () => boolean) =>
      new Promise<void>((resolve) => {
        isTold = isStopped
        finish = resolve
      }),
  )
  const stop = repeatInBackground(run, { everyMs: 1, log: silentLog, failureMessage: 'failed' })
  await vi.waitFor(() => expect(run).toHaveBeenCalledOnce(), { timeout: 60_000 })
  expect(isTold?.()).toBe(false)
  let hasStopped = false
  const stopped = stop().then(() => {
    hasStopped = true
  })
  await new Promise((resolve) => setImmediate(resolve))
  expect([isTold?.(), hasStopped]).toEqual([true, false])
  finish()
  await stopped
  expect(run).toHaveBeenCalledOnce()
})
