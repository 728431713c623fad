import { expect, it } from 'vitest'
import { createTestApp } from '../../support/app.ts'

const test = await createTestApp()
const program = await test.createProgram()
const other = await test.createProgram()

const read = async (client = program) =>
  (
    await client.graphql(
      '{ failedRequests { nodes { method path operation status code problem apiKeyId requestId } totalCount } }',
    )
  ).failedRequests

it('requests that failed are listed to the program of the key, without what they sent', async () => {
  await program.post('/affiliates?token=not-shown', { first_name: 'Ada', email: 'secret-address' })
  await program.get('/affiliates/unknown')
  await program.graphql('{ nothing }').catch(() => {})
  await program.graphql('mutation { createLink(input: { affiliateId: "x" }) { link { id } } }').catch(() => {})
  await program.get('/affiliates')
  await test.app.flush()
  const { nodes, totalCount } = await read()
  expect(totalCount).toBe(4)
  expect(nodes.reverse()).toMatchObject([
    { method: 'POST', path: '/v1/affiliates', status: 422, code: 'INVALID_INPUT', apiKeyId: program.keyId },
    { method: 'GET', path: '/v1/affiliates/unknown', status: 404, code: 'NOT_FOUND' },
    { method: 'POST', path: '/graphql', code: 'GRAPHQL_VALIDATION_FAILED' },
    { method: 'POST', path: '/graphql' },
  ])
  expect(nodes[0].requestId).toMatch(/^[\w-]+$/)
  expect(JSON.stringify(nodes)).not.toMatch(/not-shown|secret-address/)
  expect((await read(other)).totalCount).toBe(0)
})

it('a client that fails all the time fills nothing, and requests are kept for seven days', async () => {
  for (let n = 0; n < 60; n += 1) await program.get('/affiliates/unknown')
  await test.app.flush()
  expect((await read()).totalCount).toBe(4 + 50)
  test.clock.advanceDays(8)
  await test.app.flush()
  expect((await read()).totalCount).toBe(0)
})
