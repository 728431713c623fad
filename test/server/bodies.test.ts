import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { limitConnections } from '../../src/server/limits/connections.ts'
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
    status: () => expect.poll(() => answer.split('\r\n')[0]?.split(' ')[1]),
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
  await expect.poll(refused).toBeDefined()
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

describe('connections beyond a limit are closed at once', () => {
  /** Opens connections one after another, each from an address. Which of them stay open? */
  async function openFrom(addresses: readonly string[], limits: { maxConnections: number; trustedProxies: number }) {
    const limited = createServer((_, response) => response.end())
    limitConnections(limited, limits, silentLog)
    await new Promise<void>((resolve) => limited.listen(0, '127.0.0.1', resolve))
    const { port } = limited.address() as AddressInfo
    const closed = new Set<Socket>()
    const sockets: Socket[] = []
    const open = async (localAddress: string) => {
      const socket = connect({ port, host: '127.0.0.1', localAddress })
      socket.on('close', () => closed.add(socket)).on('error', () => {})
      sockets.push(socket)
      await new Promise((resolve) => socket.once('connect', resolve))
      return socket
    }
    for (const address of addresses) await open(address)
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy()
      limited.close()
    })
    return { open, sockets, isOpen: () => sockets.map((socket) => !closed.has(socket)) }
  }

  it('of all addresses', async () => {
    const addresses = ['127.0.0.1', '127.0.0.2', '127.0.0.3']
    const { isOpen } = await openFrom(addresses, { maxConnections: 2, trustedProxies: 0 })
    await expect.poll(isOpen).toEqual([true, true, false])
  })

  it('of one address: a fifth of all', async () => {
    const addresses = ['127.0.0.1', '127.0.0.1', '127.0.0.1', '127.0.0.2']
    const { isOpen, sockets, open } = await openFrom(addresses, { maxConnections: 10, trustedProxies: 0 })
    await expect.poll(isOpen).toEqual([true, true, false, true])
    const [first] = sockets
    first?.destroy()
    await expect.poll(isOpen).toEqual([false, true, false, true])
    // The server may see a moment later that it is closed.
    await expect
      .poll(async () => {
        await open('127.0.0.1')
        return isOpen().slice(4)
      })
      .toContain(true)
  })

  it('but not of one proxy', async () => {
    const addresses = Array<string>(9).fill('127.0.0.1')
    const { isOpen } = await openFrom(addresses, { maxConnections: 10, trustedProxies: 1 })
    expect(isOpen()).not.toContain(false)
  })
})
