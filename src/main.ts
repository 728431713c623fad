import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { Logger } from 'pino'
import { type Config, readConfig } from './config.ts'
import { planBackups } from './database/backup/schedule.ts'
import { type Database, openDatabase } from './database/open.ts'
import { describeCause, OperatorError } from './database/operator-error.ts'
import { createLog } from './kernel/log.ts'
import { commandLine, version } from './kernel/package-root.ts'
import { type Demo, makeDemoProgram } from './modules/demo/service.ts'
import { reminder, welcome } from './modules/demo/welcome.ts'
import { createSetUpToken, hasOperator, setUpLink } from './modules/people/set-up.ts'
import { createApp } from './server/app.ts'
import { answerMalformed, receivingLimits } from './server/entrance/malformed.ts'
import { readPersistedOperations } from './server/graphql/persisted-operations.ts'
import { idleMs, limitConnections } from './server/limits/connections.ts'
import { createMetrics, readMetricsOfWorkers } from './server/metrics/metrics.ts'
import { createMetricsServer } from './server/metrics/serve.ts'
import { createDrain } from './server/operations/drain.ts'
import { readKeys } from './server/operations/keys.ts'
import { addressOf, listen, noteAddress, requireFreePort } from './server/operations/listen.ts'
import { type Running, stopOnSignal } from './server/operations/stop.ts'
import { askDaily, createUpgrades } from './server/operations/upgrades.ts'
import { setGarbageCollection, superviseWorkers, thisWorker } from './server/workers.ts'

/** Requests that run when the embedded database stops get a 503 within this time. */
const answerMs = 500

const exitAfterAnswers = (_: Error, what: 'engine stopped' | 'directory lost') => {
  if (what === 'engine stopped') setTimeout(() => process.exit(1), answerMs)
  else process.exit(1)
}

/** How often buffered data (last uses of API keys, visits) is written. */
const flushEveryMs = 30_000

/** The port is opened first: a port in use must not cost the demo's API key, which is printed once. */
async function start(config: Config): Promise<Running> {
  const asked = readArguments()
  const secrets = new Set<string>()
  // Imported on demand, because it costs memory and start-up time.
  const { createTracing } = config.isTraced ? await import('./server/traces/tracing.ts') : {}
  const { createMailer } = config.mail ? await import('./server/operations/mailer.ts') : {}
  const { createBucket } = config.bucket ? await import('./server/operations/bucket.ts') : {}
  const tracing = createTracing?.((reason) => log.warn({ reason }, 'traces could not be sent'))
  const log = createWorkerLog(config, secrets, tracing?.traceId)
  for (const { event, fields } of config.warnings) log.warn(fields, event)
  const { file, only = false } = config.persistedOperations ?? {}
  const persistedOperations = file ? { documents: await readPersistedOperations(file), only } : undefined
  if (thisWorker.id === null) await requireFreePort(config)
  const database = await openDatabase({ ...config, log, spans: tracing?.spans, onFailure: exitAfterAnswers })
  const { admin, webhookKey } = await readKeys(database, config, log)
  const { previousAdminToken } = config
  for (const token of [admin.token, previousAdminToken ?? admin.token]) secrets.add(token)
  if (config.mail?.password) secrets.add(config.mail.password)
  if (config.bucket) secrets.add(config.bucket.secret)
  if (config.mailEvents.secret) secrets.add(config.mailEvents.secret)
  const server = createServer({ ...receivingLimits, keepAliveTimeout: idleMs(config.tracking.trustedProxies) })
  answerMalformed(server)
  limitConnections(server, { ...config, ...config.tracking }, log)
  const drain = createDrain(server)
  let address = ''
  const publicUrl = () => config.publicUrl ?? address
  const demoShop = asked.demo || !config.isProduction
  const { tracking, portalOrigins, requestsPer30Seconds, limits, oidc, operationMs, maxBodyBytesInAll } = config
  const { eventRetentionDays, visitRetentionDays, failedRequestRetentionDays, feedEventRetentionDays } = config
  const { token, port: metricsPort } = config.metrics
  const backups = planBackups(config, log)
  const metrics =
    token !== undefined || metricsPort !== undefined
      ? {
          metrics: createMetrics({ ...database, now: () => new Date(), backups }),
          token: metricsPort === undefined ? token : undefined,
        }
      : undefined
  const webhooks = { ...config.webhooks, key: webhookKey }
  const upgrades = config.upgradeCheckUrl ? createUpgrades({ url: config.upgradeCheckUrl, version, log }) : undefined
  const settings = {
    cell: config.cell,
    newerVersion: upgrades?.newer,
    backups,
    tracking,
    portalOrigins,
    portalHosts: config.portalHosts,
    requestsPer30Seconds,
    limits,
    persistedOperations,
    demoShop,
    webhooks,
    oidc,
    metrics,
    tracing,
    operationMs,
    maxBodyBytesInAll,
    eventRetentionDays,
    visitRetentionDays,
    failedRequestRetentionDays,
    feedEventRetentionDays,
    mailEvents: config.mailEvents,
    payoutServiceUrls: config.payoutServiceUrls,
    bucket: config.bucket && createBucket?.({ settings: config.bucket, log }),
    mailer: config.mail && createMailer?.({ settings: config.mail, log }),
  }
  // The jobs in the background that it starts would wait for the demo, and report that.
  const createWith = (demo: Demo | null) => ({
    demo,
    app: createApp({ database, adminToken: admin.token, previousAdminToken, publicUrl, log, ...settings }),
  })
  try {
    await backups?.check()
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
    if (thisWorker.isFirst) await noteAddress(config.dataDir, server)
    log.info({ ...place, database: database.kind, version }, 'service ready')
    // Output that is collected, not read, stays one JSON object per line, without a link that makes an operator.
    const isRead = thisWorker.isFirst && (!config.isProduction || process.stdout.isTTY)
    const link = isRead ? await makeSetUpLink(database.db, publicUrl()) : null
    thisWorker.reportReady()
    if (demo) {
      await print(welcome({ demo, ...place, setUpLink: link }))
      // Until then the planner assumes that the new tables are empty. Nobody has read the key yet.
      await database.db.$executeRaw`analyze`.catch((err) => log.warn({ err }, 'could not update statistics'))
    } else if (asked.demo) log.info('demo program exists already')
    if (!demo && isRead) {
      const program = await database.db.program.findFirst({ where: { deletedAt: null }, orderBy: { id: 'desc' } })
      await print(reminder({ programSlug: program?.slug ?? null, ...place, setUpLink: link }))
    }
    // Counts the visitors that a crash left uncounted.
    void app.flush()
    setInterval(() => app.flush(), flushEveryMs).unref()
    if (upgrades) askDaily(upgrades)
    void settings.bucket?.findProblem().then((reason) => {
      if (reason) log.warn({ reason }, 'bucket of assets cannot be used')
    })
    backups?.start()
    return { drain, app, database, backups, tracing, log }
  } catch (error) {
    await database.close()
    throw error
  }
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

type Asked = { demo: boolean; events: boolean }

/** The command line is `[start] [--demo [--events]]`, with or without `tributary`. */
function readArguments(): Asked {
  try {
    const given = process.argv.slice(2)
    const args = given[0] === 'start' ? given.slice(1) : given
    const flag = { type: 'boolean', default: false } as const
    return parseArgs({ args, options: { demo: flag, events: flag } }).values
  } catch (error) {
    throw new OperatorError(`${(error as Error).message}\nUsage: ${commandLine('start', '[--demo [--events]]')}`)
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
    setGarbageCollection()
    const starting = start(config)
    stopOnSignal(starting)
    starting.catch(fail)
  }
} catch (error) {
  fail(error)
}
