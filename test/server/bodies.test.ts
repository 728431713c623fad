import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterAll, expect, it } from 'vitest'
import { limitConnections } from '../../src/server/connections.ts'
import { createTestApp } from '../support/app.ts'
import { silentLog } from '../support/database.ts'

// Over real sockets, because only there a body arrives after the headers.

const { app, createProgram } = await createTestApp({ maxBodyBytesInAll: 100_000 })
const program = await createProgram()
const server = createServer((request, response) => app.handle(request, response))
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
afterAll(() => {
  server.closeAllConnections()
  server.close()
})
const { port } = server.address() as AddressInfo

/** Sends the headers of a request, and the first byte of its body. */
function begin(authorization: string, length: number) {
  const socket = connect(port, '127.0.0.1')
  let answer = ''
  socket.on('data', (data) => {
    answer += data
  })
  socket.write(
    `POST /v1/affiliates HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${authorization}\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n{`,
  )
  return {
    status: () => expect.poll(() => answer.split('\r\n')[0]?.split(' ')[1], { timeout: 5_000 }),
    headers: () => answer.toLowerCase(),
    hasAnswer: () => answer !== '',
    finish: () => socket.write(`${' '.repeat(length - 2)}}`),
  }
}

it.each(['none', 'Bearer trib_unknown', 'Bearer'])(
  'without a valid key (%s), the answer comes before the body',
  async (authorization) => {
    await begin(authorization, 1_000_000).status().toBe('401')
  },
)

it('large bodies are bounded in all: beyond the bound 503 with Retry-After, and small ones are received meanwhile', async () => {
  const key = `Bearer ${program.secret}`
  const both = [begin(key, 80_000), begin(key, 80_000)]
  const refused = () => both.find((one) => one.hasAnswer())
  await expect.poll(refused, { timeout: 5_000 }).toBeDefined()
  await refused()?.status().toBe('503')
  expect(refused()?.headers()).toContain('retry-after: 1')
  const [received] = both.filter((one) => !one.hasAnswer())
  const small = begin(key, 1_000)
  small.finish()
  await small.status().toBe('422')
  received?.finish()
  await received?.status().toBe('422')
  const third = begin(key, 80_000)
  third.finish()
  await third.status().toBe('422')
})

it('connections beyond the limit are closed at once', async () => {
  const limited = createServer((_, response) => response.end())
  limitConnections(limited, 2, silentLog)
  await new Promise<void>((resolve) => limited.listen(0, '127.0.0.1', resolve))
  const { port } = limited.address() as AddressInfo
  const closed = new Set<Socket>()
  const sockets: Socket[] = []
  for (let n = 0; n < 3; n += 1) {
    const socket = connect(port, '127.0.0.1')
    socket.on('close', () => closed.add(socket)).on('error', () => {})
    sockets.push(socket)
    await new Promise((resolve) => socket.once('connect', resolve))
  }
  await expect.poll(() => sockets.map((socket) => closed.has(socket))).toEqual([false, false, true])
  for (const socket of sockets) socket.destroy()
  limited.close()
})
