import { type ChildProcess, spawn } from 'node:child_process'
import { Agent, request as httpRequest } from 'node:http'
import { createInterface } from 'node:readline'
import { createTestProgram, graphqlClient } from '../../test/support/app.ts'
import { residentMbOf } from '../resident-memory.ts'

export const adminToken = 'operator-token-of-the-resilience-scripts'

export type Service = {
  address: string
  process: ChildProcess
  /** What it has logged. */
  lines: string[]
  exited: Promise<number | null>
}

/** Starts the service as it is built, in production. */
export async function startService(env: Record<string, string>): Promise<Service> {
  const settings = { NODE_ENV: 'production', ADMIN_TOKEN: adminToken, PORT: '0', DATABASE_URL: '', LOG_LEVEL: 'info' }
  const limits = { TRACKING_VISITS_PER_MINUTE: '1000000' }
  const child = spawn(process.execPath, ['dist/main.js'], {
    env: { ...process.env, ...settings, ...limits, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const lines: string[] = []
  const exited = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)))
  createInterface({ input: child.stderr }).on('line', (line) => lines.push(line))
  const address = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      // Lines of requests are too many to keep.
      if (!line.includes('"msg":"request"')) lines.push(line)
      if (line.includes('service ready')) resolve(JSON.parse(line).address)
    })
    void exited.then((code) => reject(new Error(`The service ended with ${code}:\n${lines.slice(-5).join('\n')}`)))
  })
  return { address, process: child, lines, exited }
}

export async function stopService(service: Service): Promise<void> {
  service.process.kill('SIGTERM')
  await service.exited
}

export const createProgramOn = (address: () => string, input: object = {}) => {
  const fetchThere = async (request: Request) => {
    const { pathname, search } = new URL(request.url)
    const body = request.method === 'GET' ? undefined : await request.text()
    return fetch(address() + pathname + search, { method: request.method, headers: request.headers, body })
  }
  return createTestProgram(fetchThere, graphqlClient(fetchThere, { Authorization: `Bearer ${adminToken}` }), input)
}

export type Answer = { status: number; retryAfter: string | undefined; isLast: boolean; body: string }

// Idle connections are closed before the server closes them, after 5 s: one that is used at that moment would be reset.
const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY, timeout: 4_000 })

/** Sends a request over kept connections. @throws if there is no answer: the connection was refused or reset */
export function send(
  address: string,
  secret: string,
  method: string,
  path: string,
  body?: object,
  more: Record<string, string> = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const text = body === undefined ? '' : JSON.stringify(body)
    const headers = {
      Authorization: `Bearer ${secret}`,
      ...(body && { 'Content-Type': 'application/json', 'Content-Length': String(Buffer.byteLength(text)) }),
      ...more,
    }
    const sent = httpRequest(address + path, { agent, method, headers }, (response) => {
      let received = ''
      response.setEncoding('utf8')
      response.on('data', (data) => {
        received += data
      })
      response.on('error', reject)
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          retryAfter: response.headers['retry-after'],
          // The next request of the client belongs on another instance.
          isLast: response.headers.connection === 'close',
          body: received,
        }),
      )
    })
    sent.on('error', reject)
    sent.end(text)
  })
}

export const residentMb = ({ process }: Service): Promise<number> => residentMbOf(process.pid)

/** How many problems the doctor finds. */
export async function diagnose(address: string): Promise<number> {
  const { body } = await send(address, adminToken, 'POST', '/graphql', { query: '{ doctor { findings { rowId } } }' })
  return JSON.parse(body).data.doctor.findings.length
}

/** The end of each service's log, for a run that has failed. */
export function printLastLines(services: readonly Pick<Service, 'lines'>[]): void {
  for (const { lines } of services)
    console.error(
      lines
        .slice(-15)
        .map((line) => line.slice(0, 400))
        .join('\n'),
    )
}
