import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { type Config, readConfig } from './config.ts'
import { type Database, openDatabase } from './database/open.ts'
import { describeCause, OperatorError } from './database/operator-error.ts'
import { createLog } from './kernel/log.ts'
import { readAdminToken } from './modules/access/admin-token.ts'
import { type Demo, makeDemoProgram } from './modules/demo/service.ts'
import { reminder, welcome } from './modules/demo/welcome.ts'
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
  const asked = readArguments()
  const config = readConfig(process.env)
  const secrets = new Set<string>()
  const log = createLog(config.logLevel, { secrets })
  for (const { event, fields } of config.warnings) log.warn(fields, event)
  const { file, only = false } = config.persistedOperations ?? {}
  const persistedOperations = file ? { documents: await readPersistedOperations(file), only } : undefined
  const database = await openDatabase({ ...config, log, onFailure: () => process.exit(1) })
  const admin = await readAdminToken(config.adminToken, config.dataDir)
  secrets.add(admin.token)
  const server = createServer({ requestTimeout: requestDeadlineMs })
  answerMalformed(server)
  const drain = createDrain(server)
  let address = ''
  const publicUrl = () => config.publicUrl ?? address
  const demoShop = asked.demo || !config.isProduction
  const { tracking, portalOrigins, requestsPer30Seconds } = config
  const settings = { tracking, portalOrigins, requestsPer30Seconds, persistedOperations, demoShop }
  const app = createApp({ database, adminToken: admin.token, publicUrl, log, ...settings })
  try {
    await listen(server, config)
    // A server that is stopping has no address, but still responds.
    address = addressOf(server)
    const preparing = prepareDemo(database, config, asked)
    server.on('request', (request, response) =>
      preparing.then(
        () => app.handle(request, response),
        () => response.destroy(),
      ),
    )
    const demo = await preparing
    const place = { address: publicUrl(), adminTokenFile: admin.file }
    log.info({ ...place, database: database.kind }, 'service ready')
    if (demo) await print(welcome({ demo, ...place }))
    else if (asked.demo) log.info('demo program exists already')
    // Output that is collected, not read, stays one JSON object per line.
    if (!demo && (!config.isProduction || process.stdout.isTTY)) {
      const program = await database.db.program.findFirst({ orderBy: { id: 'desc' } })
      await print(reminder({ programSlug: program?.slug ?? null, ...place }))
    }
  } catch (error) {
    await database.close()
    throw error
  }
  // Counts the visitors that a crash left uncounted.
  void app.flush()
  setInterval(() => app.flush(), flushEveryMs).unref()
  return { drain, app, database, log }
}

/**
 * Makes the demo program in a new embedded database. A PostgreSQL database may be a real one, and production does not want
 * a demo: there it is made only when asked for.
 */
async function prepareDemo({ db, kind }: Database, config: Config, asked: { demo: boolean }): Promise<Demo | null> {
  const isWanted = asked.demo || (kind === 'embedded' && !config.isProduction)
  return isWanted ? makeDemoProgram(db, { now: new Date(), asked: asked.demo }) : null
}

/** Waits a moment, because the logger may write in the background and its last line should come first. */
async function print(text: string): Promise<void> {
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

/** The command line is `[start] [--demo]`: the program is run as it is, or as the command `tributary start`. */
function readArguments(): { demo: boolean } {
  try {
    const given = process.argv.slice(2)
    const args = given[0] === 'start' ? given.slice(1) : given
    const { values } = parseArgs({ args, options: { demo: { type: 'boolean', default: false } } })
    return values
  } catch (error) {
    throw new OperatorError(`${(error as Error).message}\nUsage: npm start -- [--demo]`)
  }
}

const starting = start()
stopOnSignal(starting)
starting.catch((error: unknown) => {
  console.error(error instanceof OperatorError ? error.message : `Tributary could not start: ${describeCause(error)}`)
  process.exit(1)
})
