import { afterAll, expect } from 'vitest'
import { foldDeltas } from '../../src/modules/analytics/fold.ts'
import { type App, createApp } from '../../src/server/app.ts'
import type { AppOptions } from '../../src/server/options.ts'
import { createTestDatabase, silentLog, type TestDatabase } from './database.ts'
import { findViolations } from './doctor.ts'
import { quickPasswords } from './passwords.ts'

export const adminToken = 'operator-token-of-the-tests'
/** Encrypts the secrets in the database. */
export const testKey = Buffer.alloc(32, 7)
const dayMilliseconds = 86_400_000

export type Answer<T = any> = { status: number; headers: Headers; body: T }

const instances: App[] = []

/**
 * Creates another instance of the service, on a database of `createTestApp`. It is stopped after the tests of the file:
 * the next file gets the same embedded database, and would see what the instance does in the background.
 */
export function createInstance(options: AppOptions): App {
  const instance = createApp(options)
  instances.push(instance)
  return instance
}

/** Creates the service on its own database, with a clock that only tests advance. */
export async function createTestApp({
  startsAt = '2026-03-10T12:00:00.000Z',
  database: given,
  origin = 'http://localhost:4000',
  ...settings
}: { startsAt?: string; database?: TestDatabase; origin?: string } & Partial<
  Pick<
    AppOptions,
    | 'tracking'
    | 'demoShop'
    | 'webhooks'
    | 'cell'
    | 'newerVersion'
    | 'backups'
    | 'subscriptions'
    | 'portalOrigins'
    | 'portalHosts'
    | 'persistedOperations'
    | 'requestsPer30Seconds'
    | 'limits'
    | 'log'
    | 'oidc'
    | 'passwords'
    | 'mailEvents'
    | 'mailer'
    | 'bucket'
    | 'metrics'
    | 'maxBodyBytesInAll'
    | 'tracing'
    | 'payoutServiceUrls'
    | 'onPayoutStep'
  >
> = {}) {
  const database = given ?? (await createTestDatabase())
  // After the tests of a file, the doctor must find no problem in the data.
  afterAll(async () => {
    for (const instance of instances.splice(0)) instance.stop()
    app.stop()
    try {
      await app.flush()
      await foldDeltas(database.db)
      expect(await findViolations(database)).toEqual([])
    } finally {
      await database.drop()
    }
  })
  const clock = { now: new Date(startsAt) }
  const app = createApp({
    database,
    adminToken,
    publicUrl: () => origin,
    log: silentLog,
    now: () => clock.now,
    webhooks: { key: testKey, allowedHosts: ['127.0.0.1'], allowHttp: true, isIdle: true },
    passwords: quickPasswords,
    ...settings,
  })
  const operator = graphqlClient(app.fetch, { Authorization: `Bearer ${adminToken}` })
  return {
    app,
    database,
    origin,
    clock: {
      get now() {
        return clock.now
      },
      advanceMinutes(minutes: number) {
        clock.now = new Date(clock.now.getTime() + minutes * 60_000)
      },
      advanceDays(days: number) {
        clock.now = new Date(clock.now.getTime() + days * dayMilliseconds)
      },
    },
    operator,
    /** Creates a program with an API key. Tests in one file share a database, but not a program. */
    createProgram: (
      input: {
        slug?: string
        url?: string
        currency?: string
        commissionPercent?: number
        isSandbox?: boolean
        locale?: string
        timeZone?: string
      } = {},
    ) => createTestProgram(app.fetch, operator, input),
  }
}

type Fetch = (request: Request) => Promise<Response>
export type TestApp = Awaited<ReturnType<typeof createTestApp>>
export type TestProgram = Awaited<ReturnType<typeof createTestProgram>>

/** Creates a program with an API key on the server that `fetch` calls. */
export async function createTestProgram(fetch: Fetch, operator: GraphQLClient, input: object) {
  const fields = { name: 'Acme', url: 'https://acme.test', currency: 'usd', ...input }
  const { createProgram } = await operator(
    `mutation ($input: CreateProgramInput!) { createProgram(input: $input) { program { id slug publishableKey } } }`,
    { input: fields },
  )
  const { program } = createProgram
  const { createApiKey } = await operator(
    `mutation ($id: ID!) { createApiKey(input: { programId: $id, name: "Tests" }) { secret apiKey { id } } }`,
    { id: program.id },
  )
  const secret: string = createApiKey.secret
  const authorization = { Authorization: `Bearer ${secret}` }
  return {
    id: program.id as string,
    slug: program.slug as string,
    publishableKey: program.publishableKey as string,
    secret,
    keyId: createApiKey.apiKey.id as string,
    ...restClient(fetch, authorization),
    graphql: graphqlClient(fetch, authorization),
  }
}

/** A client for paths below /v1. It sends bodies as JSON. */
export function restClient(fetch: Fetch, headers: Record<string, string>) {
  const call = async (method: string, path: string, body?: unknown): Promise<Answer> => {
    const init: RequestInit = { method, headers }
    if (body !== undefined)
      Object.assign(init, { headers: { ...headers, 'Content-Type': 'application/json' }, body: JSON.stringify(body) })
    const response = await fetch(new Request(`http://localhost:4000/v1${path}`, init))
    const text = await response.text()
    return { status: response.status, headers: response.headers, body: text ? JSON.parse(text) : undefined }
  }
  return {
    get: (path: string) => call('GET', path),
    post: (path: string, body?: unknown) => call('POST', path, body),
    put: (path: string, body?: unknown) => call('PUT', path, body),
    delete: (path: string) => call('DELETE', path),
    /** Sends the request unchanged, with the headers added to the authorization. */
    send: async (path: string, init: RequestInit): Promise<Answer> => {
      const request = new Request(`http://localhost:4000/v1${path}`, {
        ...init,
        headers: { ...headers, ...(init.headers as object) },
      })
      const response = await fetch(request)
      const text = await response.text()
      const isJson = response.headers.get('content-type')?.startsWith('application/json')
      const body = text ? (isJson ? JSON.parse(text) : text) : undefined
      return { status: response.status, headers: response.headers, body }
    },
  }
}

export type GraphQLClient = ReturnType<typeof graphqlClient>

/** Runs an operation and returns its data, or throws an error with GraphQL's `errors`. */
export function graphqlClient(fetch: Fetch, headers: Record<string, string>) {
  return async (
    query: string,
    variables: Record<string, unknown> = {},
    more: Record<string, string> = {},
  ): Promise<any> => {
    const request = new Request('http://localhost:4000/graphql', {
      method: 'POST',
      headers: { ...headers, ...more, 'Content-Type': 'application/json' },
      body: JSON.stringify({ query, variables }),
    })
    const result = (await (await fetch(request)).json()) as { data?: unknown; errors?: { message: string }[] }
    if (result.errors) throw Object.assign(new Error(result.errors[0]?.message), { errors: result.errors })
    return result.data
  }
}
