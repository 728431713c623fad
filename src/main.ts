import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { Logger } from 'pino'
import { type Config, readConfig } from './config.ts'
import { scheduleBackups } from './database/backup/schedule.ts'
import { type Database, openDatabase } from './database/open.ts'
import { describeCause, OperatorError } from './database/operator-error.ts'
import { createLog } from './kernel/log.ts'
import { version } from './kernel/package-root.ts'
import { readAdminToken } from './modules/access/admin-token.ts'
import { encryptStoredSecrets } from './modules/access/affiliate-tokens/signing-secret.ts'
import { type Demo, makeDemoProgram } from './modules/demo/service.ts'
import { reminder, welcome } from './modules/demo/welcome.ts'
import { createSetUpToken, hasOperator, setUpLink } from './modules/people/set-up.ts'
import { readWebhookKey } from './modules/webhooks/key.ts'
import { isKeyOfDatabase } from './modules/webhooks/key-check.ts'
import { createApp } from './server/app.ts'
import { answerMalformed, receivingLimits } from './server/entrance/malformed.ts'
import { readPersistedOperations } from './server/graphql/persisted-operations.ts'
import { idleMs, limitConnections } from './server/limits/connections.ts'
import { createMetrics, readMetricsOfWorkers } from './server/metrics/metrics.ts'
import { createMetricsServer } from './server/metrics/serve.ts'
import { createDrain } from './server/operations/drain.ts'
import { type Running, stopOnSignal } from './server/operations/stop.ts'
import { superviseWorkers, thisWorker } from './server/operations/workers.ts'

/** Requests that run when the embedded database stops get a 503 within this time. */
const answerMs = 500

const exitAfterAnswers = (_: Error, what: 'engine stopped' | 'directory lost') => {
  if (what === 'engine stopped') setTimeout(() => process.exit(1), answerMs)
  else process.exit(1)
}

/** How often buffered data (last uses of API keys, visits) is written. */
const flushEveryMs = 30_000

/**
 * Starts the service. The demo's API key is printed only once, so the port is opened first: a port in use must not cost
 * the key. Early requests wait for the demo.
 */
async function start(config: Config): Promise<Running> {
  const asked = readArguments()
  const secrets = new Set<string>()
  // Imported on demand, because it costs memory and start-up time.
  const { createTracing } = config.isTraced ? await import('./server/traces/tracing.ts') : {}
  const { createMailer } = config.mail ? await import('./server/operations/mailer.ts') : {}
  const tracing = createTracing?.((reason) => log.warn({ reason }, 'traces could not be sent'))
  const log = createWorkerLog(config, secrets, tracing?.traceId)
  for (const { event, fields } of config.warnings) log.warn(fields, event)
  const { file, only = false } = config.persistedOperations ?? {}
  const persistedOperations = file ? { documents: await readPersistedOperations(file), only } : undefined
  if (thisWorker.id === null) await requireFreePort(config)
  const database = await openDatabase({ ...config, log, spans: tracing?.spans, onFailure: exitAfterAnswers })
  const admin = await readAdminToken(config.adminToken, config.dataDir)
  const { previousAdminToken } = config
  for (const token of [admin.token, previousAdminToken ?? admin.token]) secrets.add(token)
  if (config.mail?.password) secrets.add(config.mail.password)
  const server = createServer({ ...receivingLimits, keepAliveTimeout: idleMs(config.tracking.trustedProxies) })
  answerMalformed(server)
  limitConnections(server, { ...config, ...config.tracking }, log)
  const drain = createDrain(server)
  let address = ''
  const publicUrl = () => config.publicUrl ?? address
  const demoShop = asked.demo || !config.isProduction
  const { tracking, portalOrigins, requestsPer30Seconds, limits, oidc, operationMs, maxBodyBytesInAll } = config
  const { eventRetentionDays, visitRetentionDays, failedRequestRetentionDays } = config
  const { token, port: metricsPort } = config.metrics
  const metrics =
    token !== undefined || metricsPort !== undefined
      ? {
          metrics: createMetrics({
            ...database,
            now: () => new Date(),
            dataDir: database.kind === 'embedded' ? config.dataDir : undefined,
          }),
          token: metricsPort === undefined ? token : undefined,
        }
      : undefined
  const webhooks = { ...config.webhooks, key: await readWebhookKey(config.webhookKey, config.dataDir) }
  await requireKey(database, webhooks.key, config)
  const encrypted = await encryptStoredSecrets(database.db, webhooks.key)
  if (encrypted > 0) log.info({ count: encrypted }, 'signing secrets of affiliate tokens encrypted')
  const settings = {
    cell: config.cell,
    ...{ tracking, portalOrigins, requestsPer30Seconds, limits, persistedOperations, demoShop },
    ...{ webhooks, oidc, metrics, tracing, operationMs, maxBodyBytesInAll },
    ...{ eventRetentionDays, visitRetentionDays, failedRequestRetentionDays },
    mailer: config.mail && createMailer?.({ settings: config.mail, log }),
  }
  // The jobs in the background that it starts would wait for the demo, and report that.
  const createWith = (demo: Demo | null) => ({
    demo,
    app: createApp({ database, adminToken: admin.token, previousAdminToken, publicUrl, log, ...settings }),
  })
  try {
    await listen(server, config)
    if (metrics && metricsPort !== undefined && thisWorker.id === null)
      await listen(createMetricsServer(metrics.metrics.read, token), { ...config, port: metricsPort }, 'METRICS_PORT')
    // A server that is stopping has no address, but still responds.
    address = addressOf(server)
    const starting = prepareDemo(database, config, asked, log).then(createWith)
    const handleOnceStarted = (request: IncomingMessage, response: ServerResponse) =>
      starting.then(
        ({ app }) => app.handle(request, response),
        () => response.destroy(),
      )
    server.on('request', handleOnceStarted)
    const { demo, app } = await starting
    server.off('request', handleOnceStarted).on('request', app.handle)
    const place = { address: publicUrl(), adminTokenFile: admin.file }
    log.info({ ...place, database: database.kind, version }, 'service ready')
    // Output that is collected, not read, stays one JSON object per line, without a link that makes an operator.
    const isRead = thisWorker.isFirst && (!config.isProduction || process.stdout.isTTY)
    const link = isRead ? await makeSetUpLink(database.db, publicUrl()) : null
    thisWorker.reportReady()
    if (demo) await print(welcome({ demo, ...place, setUpLink: link }))
    else if (asked.demo) log.info('demo program exists already')
    if (!demo && isRead) {
      const program = await database.db.program.findFirst({ orderBy: { id: 'desc' } })
      await print(reminder({ programSlug: program?.slug ?? null, ...place, setUpLink: link }))
    }
    // Counts the visitors that a crash left uncounted.
    void app.flush()
    setInterval(() => app.flush(), flushEveryMs).unref()
    if (config.backups) scheduleBackups(config.dataDir, config.backups, log)
    return { drain, app, database, tracing, log }
  } catch (error) {
    await database.close()
    throw error
  }
}

/** @throws OperatorError if the key is not the one with which the secrets in the database are encrypted */
async function requireKey({ db, close }: Database, key: Buffer, { webhookKey, dataDir }: Config): Promise<void> {
  if (await isKeyOfDatabase(db, key, new Date())) return
  await close()
  const given = webhookKey ? 'WEBHOOK_KEY' : `The key in ${join(dataDir, 'webhook-key')}`
  throw new OperatorError(
    [
      `${given} is not the key with which the secrets in this database were encrypted.`,
      'Set WEBHOOK_KEY to the key of the other servers, or put the file webhook-key back (from the data directory or a backup).',
      'If the key is lost, stop all servers and run: npx tributary replace-webhook-key --help',
    ].join('\n'),
  )
}

/** Makes the demo program in a new embedded database; on PostgreSQL and in production only if asked for. */
async function prepareDemo({ db, kind }: Database, config: Config, asked: Asked, log: Logger): Promise<Demo | null> {
  const isWanted = asked.demo || (kind === 'embedded' && !config.isProduction)
  if (!isWanted) return null
  const onStart = () => log.info('creating a demo program with two years of data, which takes some seconds')
  return await makeDemoProgram(db, { now: new Date(), asked: asked.demo, events: asked.events, onStart })
}

/** A link that makes the first operator. Null if there is one, who can invite others. */
const makeSetUpLink = async (db: Database['db'], publicUrl: string): Promise<string | null> =>
  (await hasOperator(db)) ? null : setUpLink(publicUrl, await createSetUpToken(db, new Date()))

/** Waits a moment, because the logger may write in the background and its last line should come first. */
async function print(text: string): Promise<void> {
  await pause(100)
  process.stdout.write(text)
}

/** Before a database is made: that takes long, and the operator has to wait for it. */
async function requireFreePort(config: Config): Promise<void> {
  const server = createServer()
  await listen(server, config)
  await new Promise((resolve) => server.close(resolve))
}

function listen(server: Server, { host, port }: Pick<Config, 'host' | 'port'>, setting = 'PORT'): Promise<void> {
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

function addressOf(server: Server): string {
  const { address, port, family } = server.address() as AddressInfo
  if (address === '0.0.0.0' || address === '::') return `http://localhost:${port}`
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`
}

type Asked = { demo: boolean; events: boolean }

/** The command line is `[start] [--demo [--events]]`, with or without `tributary`. */
function readArguments(): Asked {
  try {
    const given = process.argv.slice(2)
    const args = given[0] === 'start' ? given.slice(1) : given
    const flag = { type: 'boolean', default: false } as const
    return parseArgs({ args, options: { demo: flag, events: flag } }).values
  } catch (error) {
    throw new OperatorError(`${(error as Error).message}\nUsage: npm start -- [--demo [--events]]`)
  }
}

/** With several workers, each line names the process that wrote it. */
function createWorkerLog({ logLevel }: Config, secrets: Set<string>, traceId?: () => string | undefined) {
  const log = createLog(logLevel, { secrets, traceId })
  return thisWorker.id === null ? log : log.child({ worker: thisWorker.id, pid: process.pid })
}

function fail(error: unknown): never {
  console.error(error instanceof OperatorError ? error.message : `Tributary could not start: ${describeCause(error)}`)
  process.exit(1)
}

try {
  const config = readConfig(process.env)
  if (thisWorker.isSupervisor(config.workers)) {
    readArguments()
    superviseWorkers(config.workers, createLog(config.logLevel))
    const { token, port } = config.metrics
    if (port !== undefined) {
      const server = createMetricsServer(readMetricsOfWorkers(), token)
      listen(server, { ...config, port }, 'METRICS_PORT').catch(fail)
    }
  } else {
    const starting = start(config)
    stopOnSignal(starting)
    starting.catch(fail)
  }
} catch (error) {
  fail(error)
}
