import { expect, it } from 'vitest'
import { createTestApp } from '../support/app.ts'
import { createAffiliate, unknownId } from '../support/factories.ts'

const app = await createTestApp()
const program = await app.createProgram()
const affiliate = await createAffiliate(program)
const known = (path: string, etag: string, method = 'GET') =>
  program.send(path, { method, headers: { 'If-None-Match': etag } })

it.each(['/affiliates', `/affiliates/${affiliate.id}`, '/payouts'])(
  'a read of %s is private, and returns 304 to a current If-None-Match',
  async (path) => {
    const headers = { Authorization: `Bearer ${program.secret}` }
    const read = await app.app.fetch(new Request(`http://localhost:4000/v1${path}`, { headers }))
    const etag = read.headers.get('etag') as string
    expect(etag).toMatch(/^"\S{22}"$/)
    expect(read.headers.get('cache-control')).toBe('private, no-cache')
    expect(read.headers.get('vary')).toContain('Authorization')
    for (const names of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const { status, body, headers } = await known(path, names)
      expect([status, body]).toEqual([304, undefined])
      for (const name of ['etag', 'cache-control', 'vary']) expect(headers.get(name)).toBe(read.headers.get(name))
      expect(headers.get('x-request-id')).toMatch(/./)
    }
    expect((await known(path, etag, 'HEAD')).status).toBe(304)
    const head = await program.send(path, { method: 'HEAD' })
    expect([head.status, head.headers.get('etag'), head.body]).toEqual([200, etag, undefined])
    const other = await app.app.fetch(
      new Request(`http://localhost:4000/v1${path}`, { headers: { ...headers, 'If-None-Match': '"other"' } }),
    )
    expect([other.status, await other.text()]).toEqual([200, await read.text()])
  },
)

it('a changed resource is sent again', async () => {
  const path = `/affiliates/${affiliate.id}`
  const etag = (await program.get(path)).headers.get('etag') as string
  await program.put(path, { first_name: 'Ada' })
  const { status, body, headers } = await known(path, etag)
  expect([status, body.first_name]).toEqual([200, 'Ada'])
  expect(headers.get('etag')).not.toBe(etag)
})

it('writes and errors are not cached', async () => {
  const answers = [
    await program.post('/affiliates', { email: 'kept@example.com' }),
    await program.put(`/affiliates/${affiliate.id}`, {}),
    await program.post('/affiliates', {}),
    await program.get(`/affiliates/${unknownId}`),
    await program.get('/none'),
    await program.delete('/affiliates'),
    await program.send('/affiliates', { headers: { Authorization: 'Bearer nobody' } }),
  ]
  expect(answers.map(({ status }) => status)).toEqual([201, 200, 422, 404, 404, 405, 401])
  for (const { headers } of answers) {
    expect([headers.get('cache-control'), headers.get('etag')]).toEqual(['no-store', null])
  }
})

it('a write ignores If-None-Match', async () => {
  const path = `/affiliates/${affiliate.id}`
  const { status, body } = await program.send(path, {
    method: 'PUT',
    headers: { 'If-None-Match': '*', 'Content-Type': 'application/json' },
    body: '{"last_name":"Lovelace"}',
  })
  expect([status, body.last_name]).toEqual([200, 'Lovelace'])
})
