import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { type Config, readConfig } from './config.ts'
import { openDatabase } from './database/open.ts'
import { describeCause, OperatorError } from './database/operator-error.ts'
import { createLog } from './kernel/log.ts'
import { readAdminToken } from './modules/access/admin-token.ts'
import { makeDemoProgram } from './modules/demo/service.ts'
import { welcome } from './modules/demo/welcome.ts'
import { createApp } from './server/app.ts'
import { readPersistedOperations } from './server/persisted-operations.ts'
import { type Running, stopOnSignal } from './server/stop.ts'
import { answerUnreadable } from './server/unreadable.ts'

/** How long a request may take, from its first byte to its last; the database gives up before (database/limits.ts). */
const requestDeadlineMs = 30_000

/** How far behind what is written now and then (a key's last use) may be. */
const flushEveryMs = 30_000

/**
 * Start: configuration, database, socket, demo. The key to the demo is shown once, which a port in use must not use up:
 * so the socket comes before it, and requests that come early wait until everything is there.
 */
async function start(): Promise<Running> {
  const config = readConfig(process.env)
  const log = createLog(config.logLevel)
  const { file, only = false } = config.persistedOperations ?? {}
  const persistedOperations = file ? { documents: await readPersistedOperations(file), only } : undefined
  const database = await openDatabase({ ...config, log, onFailure: () => process.exit(1) })
  const admin = await readAdminToken(config.adminToken, config.dataDir)
  const server = createServer({ requestTimeout: requestDeadlineMs })
  answerUnreadable(server)
  const publicUrl = () => config.publicUrl ?? addressOf(server)
  const demoShop = !config.isProduction
  const { tracking, portalOrigins, requestsPer30Seconds } = config
  const settings = { tracking, portalOrigins, requestsPer30Seconds, persistedOperations, demoShop }
  const app = createApp({ database, adminToken: admin.token, publicUrl, log, ...settings })
  try {
    await listen(server, config)
    const preparing = config.isProduction ? Promise.resolve(null) : makeDemoProgram(database.db, { now: new Date() })
    server.on('request', (request, response) =>
      preparing.then(
        () => app.handle(request, response),
        () => response.destroy(),
      ),
    )
    const demo = await preparing
    log.info({ address: publicUrl(), database: database.kind }, 'Tributary is ready.')
    if (demo) await greet(welcome({ demo, address: publicUrl(), adminTokenFile: admin.file }))
  } catch (error) {
    await database.close()
    throw error
  }
  // Visitors that a crash left uncounted are counted now.
  void app.flush()
  setInterval(() => app.flush(), flushEveryMs).unref()
  return { server, app, database, log }
}

/** The log may be written in the background; a moment later its last line is out. */
async function greet(text: string): Promise<void> {
  await pause(100)
  process.stdout.write(text)
}

function listen(server: Server, { host, port }: Config): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const taken = error.code === 'EADDRINUSE'
      const remedy = taken ? `Port ${port} on ${host} is in use. Set PORT to another one.` : undefined
      reject(new OperatorError(remedy ?? `Can not listen on ${host}:${port} (${error.code}). Check HOST and PORT.`))
    })
    server.listen(port, host, resolve)
  })
}

function addressOf(server: Server): string {
  const { address, port, family } = server.address() as AddressInfo
  if (address === '0.0.0.0' || address === '::') return `http://localhost:${port}`
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`
}

const starting = start()
stopOnSignal(starting)
starting.catch((error: unknown) => {
  console.error(error instanceof OperatorError ? error.message : `Tributary could not start: ${describeCause(error)}`)
  process.exit(1)
})
