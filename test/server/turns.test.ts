import { expect, it } from 'vitest'
import { createTestApp } from '../support/app.ts'

const app = await createTestApp()
const program = await app.createProgram()

it('a burst of requests is answered, each of them, however many come at once', async () => {
  const answers = await Promise.all(Array.from({ length: 500 }, () => program.get('/campaigns')))
  expect(answers.every(({ status }) => status === 200)).toBe(true)
})

it('whether the service is well is answered while requests wait for their turn', async () => {
  let answered = 0
  const burst = Array.from({ length: 200 }, () => program.get('/campaigns').then(() => answered++))
  const health = await app.app.fetch(new Request('http://localhost:4000/healthz'))
  expect(health.status).toBe(200)
  expect(answered).toBeLessThan(200)
  await Promise.all(burst)
})

it('requests that fail give their turn back', async () => {
  const refused = Array.from({ length: 100 }, () => app.app.fetch(new Request('http://localhost:4000/v1/campaigns')))
  for (const { status } of await Promise.all(refused)) expect(status).toBe(401)
  const broken = Array.from({ length: 100 }, () => program.send('/campaigns', { method: 'POST', body: '<a/>' }))
  for (const { status } of await Promise.all(broken)) expect(status).toBe(415)
  expect((await program.get('/campaigns')).status).toBe(200)
})
