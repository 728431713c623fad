import { expect, it } from 'vitest'
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
