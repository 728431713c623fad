import { rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { OperatorError } from '../../database/operator-error.ts'
import { serverAddressFile } from '../../kernel/server-address.ts'

type Place = { host: string; port: number }

/** Before a database is made: that takes long, and the operator has to wait for it. */
export async function requireFreePort(place: Place): Promise<void> {
  const server = createServer()
  await listen(server, place)
  await new Promise((resolve) => server.close(resolve))
}

export function listen(server: Server, { host, port }: Place, setting = 'PORT'): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const isInUse = error.code === 'EADDRINUSE'
      const message = isInUse ? `Port ${port} on ${host} is in use. Set ${setting} to another port.` : undefined
      reject(
        new OperatorError(message ?? `Cannot listen on ${host}:${port} (${error.code}). Check HOST and ${setting}.`),
      )
    })
    server.listen(port, host, resolve)
  })
}

export function addressOf(server: Server): string {
  const { address, port, family } = server.address() as AddressInfo
  if (address === '0.0.0.0' || address === '::') return `http://localhost:${port}`
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`
}

/** A server on PostgreSQL may have no data directory that it can write to. Commands then need TRIBUTARY_URL or PORT. */
export async function noteAddress(dataDir: string, server: Server): Promise<void> {
  const { family } = server.address() as AddressInfo
  // The name can lead to the other family, where another program may listen on the same port.
  const address = addressOf(server).replace('localhost', family === 'IPv6' ? '[::1]' : '127.0.0.1')
  const file = serverAddressFile(dataDir)
  // The file is made anew: it has its mode, and a link at its place is not followed.
  await rm(file, { force: true })
    .then(() => writeFile(file, `${address}\n`, { mode: 0o600, flag: 'wx' }))
    .catch(() => undefined)
}
