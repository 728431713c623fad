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
import { createDrain } from './server/drain.ts'
import { answerMalformed } from './server/malformed.ts'
import { readPersistedOperations } from './server/persisted-operations.ts'
import { type Running, stopOnSignal } from './server/stop.ts'

/** How long receiving a request may take, from its first byte to its last. */
const requestDeadlineMs = 30_000

/** How often buffered data (last uses of API keys, visits) is written. */
const flushEveryMs = 30_000

/**
 * Starts the service: configuration, database, port, demo. The demo's API key is printed only once, so the port is opened
 * first: a port in use must not cost the key. Requests that arrive early wait until the demo exists.
 */
async function start(): Promise<Running> {
  const config = readConfig(process.env)
  const log = createLog(config.logLevel)
  const { file, only = false } = config.persistedOperations ?? {}
  const persistedOperations = file ? { documents: await readPersistedOperations(file), only } : undefined
  const database = await openDatabase({ ...config, log, onFailure: () => process.exit(1) })
  const admin = await readAdminToken(config.adminToken, config.dataDir)
  const server = createServer({ requestTimeout: requestDeadlineMs })
  answerMalformed(server)
  const drain = createDrain(server)
  let address = ''
  const publicUrl = () => config.publicUrl ?? address
  const demoShop = !config.isProduction
  const { tracking, portalOrigins, requestsPer30Seconds } = config
  const settings = { tracking, portalOrigins, requestsPer30Seconds, persistedOperations, demoShop }
  const app = createApp({ database, adminToken: admin.token, publicUrl, log, ...settings })
  try {
    await listen(server, config)
    // A server that is stopping has no address, and still answers.
    address = addressOf(server)
    const preparing = config.isProduction ? Promise.resolve(null) : makeDemoProgram(database.db, { now: new Date() })
    server.on('request', (request, response) =>
      preparing.then(
        () => app.handle(request, response),
        () => response.destroy(),
      ),
    )
    const demo = await preparing
    log.info({ address: publicUrl(), database: database.kind }, 'service ready')
    if (demo) await printWelcome(welcome({ demo, address: publicUrl(), adminTokenFile: admin.file }))
  } catch (error) {
    await database.close()
    throw error
  }
  // Counts the visitors that a crash left uncounted.
  void app.flush()
  setInterval(() => app.flush(), flushEveryMs).unref()
  return { drain, app, database, log }
}

/** Waits a moment, because the logger may write in the background and its last line should come first. */
async function printWelcome(text: string): Promise<void> {
  await pause(100)
  process.stdout.write(text)
}

function listen(server: Server, { host, port }: Config): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const isInUse = error.code === 'EADDRINUSE'
      const message = isInUse ? `Port ${port} on ${host} is in use. Set PORT to another port.` : undefined
      reject(new OperatorError(message ?? `Cannot listen on ${host}:${port} (${error.code}). Check HOST and PORT.`))
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
