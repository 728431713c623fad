import { Agent, request as httpRequest, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { adminToken } from '../support/app.ts'
import { makeDataDir, startChild } from '../support/data-directory.ts'

/** Only a hang takes that long. */
const waiting = { timeout: 60_000 }

async function startEmbedded(env: NodeJS.ProcessEnv = {}) {
  const settings = { PORT: '0', NODE_ENV: 'production', ADMIN_TOKEN: adminToken, LOG_LEVEL: 'info', ...env }
  const child = startChild('src/main.ts', [], { ...settings, DATA_DIR: await makeDataDir() })
  return { ...child, address: JSON.parse(await child.ready()).address as string }
}

type Answer = { status: number | undefined; connection: string | undefined; body: string }

function get(address: string, path: string, agent: Agent): Promise<Answer> {
  return new Promise((done, fail) => {
    const onResponse = (response: IncomingMessage) => {
      let body = ''
      response.on('data', (bytes) => {
        body += bytes
      })
      response.on('error', fail)
      const { statusCode: status, headers } = response
      response.on('end', () => done({ status, connection: headers.connection, body }))
    }
    const headers = { Authorization: `Bearer ${adminToken}` }
    httpRequest(`${address}${path}`, { agent, headers }, onResponse).on('error', fail).end()
  })
}

test('50 busy clients get every response, the last with Connection: close, and the process exits with 0', async () => {
  const { address, process: server, exited, lines } = await startEmbedded()
  const stopped = new Promise<void>((done) => server.once('exit', () => done()))
  let isStopping = false
  const failures: string[] = []
  const kept: Answer[] = []
  let answers = 0
  const clients = Array.from({ length: 50 }, async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    onTestFinished(() => agent.destroy())
    for (;;) {
      const sentAfter = isStopping
      const answer = await get(address, '/graphql?query=%7B__typename%7D', agent).catch((error) => error as Error)
      if (answer instanceof Error) {
        // Refused: the server accepts no more connections.
        if ((answer as NodeJS.ErrnoException).code !== 'ECONNREFUSED') failures.push(String(answer))
        return
      }
      answers += 1
      if (sentAfter && answer.connection !== 'close') kept.push(answer)
      if (answer.connection === 'close') return
    }
  })
  await expect.poll(() => answers, waiting).toBeGreaterThan(200)
  server.kill('SIGTERM')
  await expect.poll(() => lines.join(''), waiting).toContain('shutdown started')
  isStopping = true
  await Promise.all(clients)
  await stopped
  expect(failures).toEqual([])
  expect(kept).toEqual([])
  expect(lines.join('')).not.toContain('cut off')
  expect(await exited).toMatchObject({ code: 0 })
})

test('a request that has begun is answered, and idle connections end meanwhile, also those that are kept for a proxy', async () => {
  const { address, process: server, exited, lines } = await startEmbedded({ TRUSTED_PROXIES: '1' })
  const { hostname, port } = new URL(address)
  const open = () => {
    const socket = connect({ host: hostname, port: Number(port) })
    onTestFinished(() => void socket.destroy())
    let received = ''
    socket.on('data', (bytes) => {
      received += bytes
    })
    const closed = new Promise<string>((done) => socket.on('close', () => done(received)))
    return { socket, closed, received: () => received }
  }
  const [idle, used, headers, body] = [open(), open(), open(), open()]
  used.socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n')
  await expect.poll(used.received, waiting).toContain('alive')
  expect(used.received()).toContain('Keep-Alive: timeout=620')
  headers.socket.write('GET /healthz HTTP/1.1\r\n')
  body.socket.write(`POST /graphql HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${adminToken}\r\n`)
  body.socket.write('Content-Type: application/json\r\nContent-Length: 26\r\nExpect: 100-continue\r\n\r\n')
  await expect.poll(body.received, waiting).toContain('100 Continue')
  server.kill('SIGTERM')
  await Promise.all([idle.closed, used.closed])
  expect(lines.join('')).not.toContain('shutdown complete')
  headers.socket.write('Host: x\r\n\r\n')
  body.socket.write('{"query":"{ __typename }"}')
  expect(await headers.closed).toMatch(/^HTTP\/1\.1 200.*Connection: close.*alive/is)
  expect(await body.closed).toMatch(/HTTP\/1\.1 200.*Connection: close.*__typename/is)
  expect(await exited).toMatchObject({ code: 0 })
})
