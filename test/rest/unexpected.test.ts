import { afterAll, expect, it } from 'vitest'
import { createTestApp } from '../support/app.ts'

const app = await createTestApp()
const program = await app.createProgram()
await app.database.db.$executeRawUnsafe('alter table campaigns rename to campaigns_gone')
afterAll(() => app.database.db.$executeRawUnsafe('alter table campaigns_gone rename to campaigns'))

it('a 500 has a request id and no details of the cause', async () => {
  for (const answer of [
    await program.get('/campaigns'),
    await program.post('/affiliates', { email: 'ada@example.com' }),
    await program.get('/campaigns/01980f3e-8c00-7000-8000-00000000dead'),
  ]) {
    expect(answer.status).toBe(500)
    expect(answer.body).toEqual({ error: 'Internal server error.' })
    expect(answer.headers.get('x-request-id')).toMatch(/\S/)
  }
})

it('GraphQL returns INTERNAL with a request id and no details of the cause', async () => {
  const failed = await program.graphql('{ campaigns { nodes { id } } }').catch((error) => error)
  expect(failed.errors).toEqual([
    expect.objectContaining({
      message: 'Internal server error.',
      extensions: { code: 'INTERNAL', retryable: false, requestId: expect.stringMatching(/\S/) },
    }),
  ])
  expect(JSON.stringify(failed.errors)).not.toMatch(/campaigns_gone|relation|prisma|select/i)
})
