import { expect, it, vi } from 'vitest'
import { createWorkLoop } from '../../src/kernel/work-loop.ts'

const never = 2 ** 31 - 1

/** A loop whose steps are answered by the test. */
function loopOf(answers: (boolean | Error)[], restMs = never) {
  const failures: unknown[] = []
  const steps = vi.fn(async () => {
    const answer = answers.shift() ?? false
    if (answer instanceof Error) throw answer
    return answer
  })
  const loop = createWorkLoop({ step: steps, restMs, onFailure: (error) => failures.push(error) })
  const hasTaken = (count: number) => expect.poll(() => steps.mock.calls.length).toBeGreaterThanOrEqual(count)
  return { loop, steps, failures, hasTaken }
}

it('repeats a step while there is more to do, and rests until it is woken', async () => {
  const { loop, hasTaken } = loopOf([true, true, false, true])
  loop.start()
  await hasTaken(3)
  loop.wake()
  await hasTaken(5)
  await loop.stop()
})

it('takes the next step at once if it was woken during a step', async () => {
  const { loop, steps, hasTaken } = loopOf([])
  steps.mockImplementationOnce(async () => {
    loop.wake()
    return false
  })
  loop.start()
  await hasTaken(2)
  await loop.stop()
})

it('repeats a step that failed after a rest', async () => {
  const failure = new Error('no connection')
  const { loop, failures, hasTaken } = loopOf([failure], 1)
  loop.start()
  await hasTaken(2)
  expect(failures).toEqual([failure])
  await loop.stop()
})

it('waits for the step that runs when it is stopped, and takes no other', async () => {
  const { loop, steps, hasTaken } = loopOf([])
  let end = () => {}
  steps.mockImplementationOnce(() => new Promise((done) => (end = () => done(true))))
  loop.start()
  await hasTaken(1)
  const stopped = loop.stop()
  expect(loop.isStopping).toBe(true)
  end()
  await stopped
  expect(steps).toHaveBeenCalledTimes(1)
})
