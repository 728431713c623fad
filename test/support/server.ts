import { adminToken } from './app.ts'
import { startChild } from './data-directory.ts'

/** Starts the service with production settings in its own process, on an existing database. */
export async function startServer(databaseUrl: string, env: NodeJS.ProcessEnv = {}) {
  const settings = { PORT: '0', NODE_ENV: 'production', ADMIN_TOKEN: adminToken, LOG_LEVEL: 'info' }
  const child = startChild('src/main.ts', [], { ...settings, DATABASE_URL: databaseUrl, ...env })
  const { address } = JSON.parse(await child.ready())
  return {
    address: address as string,
    child,
    fetch: async (request: Request): Promise<Response> => {
      const { pathname, search } = new URL(request.url)
      const body = request.method === 'GET' ? undefined : await request.text()
      return fetch(`${address}${pathname}${search}`, { method: request.method, headers: request.headers, body })
    },
    /** Ends the process with SIGKILL. */
    kill: async () => {
      child.process.kill('SIGKILL')
      await child.exited
    },
  }
}

/** Runs a GraphQL operation as the operator, on a service in a process of its own. @throws if it has errors */
export async function operate(address: string, query: string, programId?: string): Promise<any> {
  const response = await fetch(`${address}/graphql`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${adminToken}`,
      'Content-Type': 'application/json',
      // Of several workers, any can be reached by the next request.
      Connection: 'close',
      ...(programId && { 'X-Program-Id': programId }),
    },
    body: JSON.stringify({ query }),
  })
  const { data, errors } = (await response.json()) as { data: any; errors?: unknown }
  if (errors) throw new Error(JSON.stringify(errors))
  return data
}
