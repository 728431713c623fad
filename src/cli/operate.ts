import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Config, readConfig } from '../config.ts'
import { OperatorError } from '../database/operator-error.ts'

/** Runs an operation on the server as its operator. */
export async function operate<T = unknown>(query: string, variables: Record<string, unknown> = {}): Promise<T> {
  const config = readConfig(process.env)
  const server = config.serverUrl
  const response = await fetch(`${server}/graphql`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${await readToken(config)}` },
    body: JSON.stringify({ query, variables }),
  }).catch(() => {
    throw new OperatorError(`No server answers at ${server}. Start it, or set TRIBUTARY_URL to where it is.`)
  })
  const answer = (await response.json().catch(() => null)) as { data?: T; errors?: { message: string }[] } | null
  if (response.status === 401)
    throw new OperatorError(`The server at ${server} refused the token. Set ADMIN_TOKEN to the one it runs with.`)
  if (!answer || answer.errors) {
    throw new OperatorError(
      answer?.errors?.map((error) => error.message).join(' ') ??
        `${server} answered ${response.status}, not as Tributary does.`,
    )
  }
  return answer.data as T
}

async function readToken({ adminToken, dataDir }: Config): Promise<string> {
  if (adminToken) return adminToken
  const file = join(dataDir, 'admin-token')
  return readFile(file, 'utf8').then(
    (token) => token.trim(),
    () => {
      throw new OperatorError(`Set ADMIN_TOKEN: there is none in ${file}.`)
    },
  )
}
