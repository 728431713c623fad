import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Config, readConfig } from './config.ts'
import { openDatabase } from './database/open.ts'
import { describeCause, OperatorError } from './database/operator-error.ts'
import { type Demo, makeDemoProgram } from './demo/service.ts'
import { welcome } from './demo/welcome.ts'
import { createLog } from './log.ts'
import { readAdminToken } from './operator/token.ts'
import { createApp } from './server/app.ts'
import { stopGracefully } from './server/stop.ts'

/** How long a request may take, from its first byte to its last; the database gives up before (database/limits.ts). */
const requestDeadlineMs = 30_000

/**
 * Start: configuration, database, and only then the socket. The demo comes after it: the key to the demo is shown once,
 * which a port in use must not use up.
 */
async function start(): Promise<void> {
  const config = readConfig(process.env)
  const log = createLog(config)
  const database = await openDatabase({ ...config, log, onFailure: () => process.exit(1) })
  const admin = await readAdminToken(config.adminToken, config.dataDir)
  const server = createServer({ requestTimeout: requestDeadlineMs })
  const publicUrl = () => config.publicUrl ?? addressOf(server)
  const app = createApp({ database, adminToken: admin.token, publicUrl, log })
  server.on('request', app.handle)
  let demo: Demo | null = null
  try {
    await listen(server, config)
    if (!config.isProduction) demo = await makeDemoProgram(database.db, { now: new Date() })
  } catch (error) {
    await database.close()
    throw error
  }
  stopGracefully({ server, app, database, log })
  log.info({ address: publicUrl(), database: database.kind }, 'Tributary is ready.')
  if (!demo) return
  const text = welcome({ demo, address: publicUrl(), adminTokenFile: admin.file })
  // The log is written in the background, and its flush says nothing of that; a moment later the last line is out.
  setTimeout(() => process.stdout.write(text), 100)
}

function listen(server: Server, { host, port }: Config): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const taken = error.code === 'EADDRINUSE'
      reject(taken ? new OperatorError(`Port ${port} on ${host} is in use. Set PORT to another one.`) : error)
    })
    server.listen(port, host, resolve)
  })
}

function addressOf(server: Server): string {
  const { address, port, family } = server.address() as AddressInfo
  if (address === '0.0.0.0' || address === '::') return `http://localhost:${port}`
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`
}

start().catch((error: unknown) => {
  console.error(error instanceof OperatorError ? error.message : `Tributary could not start: ${describeCause(error)}`)
  process.exit(1)
})
