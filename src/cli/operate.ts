import { readFile } from 'node:fs/promises'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { type Config, readConfig } from '../config.ts'
import { OperatorError } from '../database/operator-error.ts'
import { serverAddressFile } from '../kernel/server-address.ts'

export type Problem = { message: string; path?: readonly (string | number)[] }
type Failure = { message: string; extensions?: { problems?: Problem[] } }

/** The server has refused an operation. */
export class OperationFailed extends OperatorError {
  constructor(
    message: string,
    readonly problems: readonly Problem[],
  ) {
    super(message)
  }
}

/** No server answers at the address. */
export class ServerUnreachable extends OperatorError {}

/** Runs a GraphQL operation on the server, as its operator. @param program an id or slug @throws OperatorError */
export async function operate<T = unknown>(
  query: string,
  variables: Record<string, unknown> = {},
  program?: string,
): Promise<T> {
  const { response, server } = await fetchAsOperator('/graphql', program, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ query, variables }),
  })
  const body = (await response.json().catch(() => null)) as { data?: T; errors?: Failure[] } | null
  if (!body || body.errors) {
    throw new OperationFailed(
      body?.errors?.map((error) => error.message).join(' ') ??
        `${server} responded with status ${response.status}, but not as a Tributary server. Check TRIBUTARY_URL.`,
      body?.errors?.flatMap(({ extensions }) => extensions?.problems ?? []) ?? [],
    )
  }
  return body.data as T
}

/** Sends a request to the server, with the token of its operator. @throws OperatorError */
export async function fetchAsOperator(
  path: string,
  program: string | undefined,
  init: RequestInit = {},
): Promise<{ response: Response; server: string }> {
  const config = readConfig(process.env)
  const server = await findServer(config)
  const headers = {
    ...init.headers,
    Authorization: `Bearer ${await readToken(config)}`,
    ...(program !== undefined && { 'X-Program-Id': encodeHeader(program) }),
  }
  const response = await fetch(server + path, { ...init, headers }).catch(() => {
    throw new ServerUnreachable(`Cannot reach a server at ${server}. Start it, or set TRIBUTARY_URL to its address.`)
  })
  if (response.status === 401)
    throw new OperatorError(`The server at ${server} rejected the token. Set ADMIN_TOKEN to the token of the server.`)
  return { response, server }
}

/** The URL of the running server, without a trailing slash. */
export async function findServer({ serverUrl, dataDir }: Pick<Config, 'serverUrl' | 'dataDir'>): Promise<string> {
  if (serverUrl) return serverUrl
  const noted = await readFile(serverAddressFile(dataDir), 'utf8').catch(() => '')
  return isOfThisMachine(noted.trim()) ? noted.trim() : 'http://127.0.0.1:4000'
}

/** A file in a folder must not send the operator's token to another machine. */
function isOfThisMachine(url: string): boolean {
  if (!URL.canParse(url)) return false
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '')
  const own = Object.values(networkInterfaces()).flatMap((found) => found ?? [])
  return /^127\.[\d.]+$/.test(host) || own.some(({ address }) => address === host)
}

async function readToken({ adminToken, dataDir }: Config): Promise<string> {
  if (adminToken) return adminToken
  const file = join(dataDir, 'admin-token')
  return readFile(file, 'utf8').then(
    (token) => token.trim(),
    () => {
      throw new OperatorError(
        `There is no operator token in ${file}. A server with this folder writes it when it first starts. Start it once, or set ADMIN_TOKEN.`,
      )
    },
  )
}

/** A header cannot hold every text. No program is named by a text that it cannot hold. */
const encodeHeader = (text: string) => text.trim().replace(/[^\x21-\x7e]/g, '?') || '?'
