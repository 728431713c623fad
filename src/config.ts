import { environment, type Settings } from './config/environment.ts'
import type { ScheduledBackups } from './database/backup/schedule.ts'
import { OperatorError } from './database/operator-error.ts'
import { findDatabaseProblems, splitReplicaUrls } from './database/postgres/settings.ts'
import { type BucketSettings, readBucketSettings } from './kernel/bucket.ts'
import type { Mechanism } from './kernel/engine.ts'
import { type MailSettings, readMailSettings } from './kernel/mail.ts'
import { findMisnamed } from './kernel/misnamed.ts'
import { allowsAll } from './kernel/origins.ts'
import { problemOf } from './kernel/settings.ts'

/** A log event. `meant` is what the operator probably wanted to write. */
export type ConfigWarning = { event: string; fields: { variable: string; meant?: string } }

export type Config = {
  host: string
  port: number
  /** Without a trailing slash. Undefined means: the address that the service listens on. */
  publicUrl: string | undefined
  databaseUrl: string | undefined
  databaseDirectUrl: string | undefined
  databaseReplicaUrls: string[]
  databaseReplicaWaitMs: number
  dataDir: string
  /** When the database is backed up, and where to; undefined means never. */
  backups: ScheduledBackups | undefined
  adminToken: string | undefined
  /** Accepted too, until every client has the new one. */
  previousAdminToken: string | undefined
  /** What `tributary mcp` calls the tools with: an API key, or the token of an affiliate. */
  assistantKey: string | undefined
  /** An API key of the server that a program is imported from. */
  importKey: string | undefined
  /** Where commands reach the server, without a trailing slash. Undefined: the address that the server noted. */
  serverUrl: string | undefined
  logLevel: Settings['LOG_LEVEL']
  /** NODE_ENV is set, and neither development nor test: a word such as "prod" means production too. */
  isProduction: boolean
  /** Settings that are probably not what the operator means. The service starts nevertheless. */
  warnings: ConfigWarning[]
  /** The origins of affiliate portals, whose pages may use GraphQL. */
  portalOrigins: string[]
  /** The hosts that have the pages for affiliates of a program each: its slug by the host. */
  portalHosts: Map<string, string>
  /** Operations that clients run by id; undefined without a file. */
  persistedOperations: { file: string; only: boolean } | undefined
  /** For each API key with the superset profile. */
  requestsPer30Seconds: number
  /** Per minute. Undefined means: no limit. */
  limits: { perKey: number | undefined; perAddress: number | undefined; failedPerAddress: number }
  /** How long an operation may take. */
  operationMs: number
  /** How many connections of clients each process accepts. */
  maxConnections: number
  /** How many bytes of larger request bodies each process holds at a time. */
  maxBodyBytesInAll: number
  workers: number
  /** Where webhooks may be sent to. */
  webhooks: {
    /** Host names, addresses and networks in a private network. */
    allowedHosts: string[]
    /** Whether http is allowed to all hosts, not only to these. */
    allowHttp: boolean
  }
  /** Encrypts the secrets of webhook endpoints. Without it, a generated key is in the data directory. */
  webhookKey: string | undefined
  /** The mark in new keys, by which a proxy in front of several installations knows them. */
  cell: string | undefined
  /** The OpenID Connect provider at which people can sign in to the dashboard. Undefined without one. */
  oidc: { issuer: string; clientId: string; clientSecret: string; name: string } | undefined
  /** The mail server, and who mails are from. Undefined: the service sends no mail. */
  mail: MailSettings | undefined
  /** What a provider of mail sends with its events, and a topic that signs them. Without both, none are accepted. */
  mailEvents: { secret: string | undefined; topicArn: string | undefined }
  /** Where the files of assets are. Undefined: in the database. */
  bucket: BucketSettings | undefined
  /** Where `/metrics` is: on the main port with the token, on a separate port, or not at all. */
  metrics: { token: string | undefined; port: number | undefined }
  /** Where the newest version is asked for, once a day. Undefined: nothing is asked. */
  upgradeCheckUrl: string | undefined
  /** Where the APIs of payout services are, by service, without a trailing slash. */
  payoutServiceUrls: Readonly<Record<string, string>>
  /** Whether requests are traced. OpenTelemetry's packages read their settings themselves. */
  isTraced: boolean
  /** What is used to make requests cheaper. All of it, unless somebody compares. */
  engine: readonly Mechanism[]
  eventRetentionDays: number
  /** How long visits are kept. Undefined means for ever. */
  visitRetentionDays: number | undefined
  failedRequestRetentionDays: number
  /** How long events of feeds are kept. */
  feedEventRetentionDays: number
  tracking: {
    /** The origins whose pages may use the tracking endpoints. */
    origins: '*' | string[]
    /** How many proxies are in front of the service. Each of them appends to X-Forwarded-For. */
    trustedProxies: number
    /** For each address. */
    visitsPerMinute: number
    leadsPerMinute: number
  }
}

type Environment = Readonly<Record<string, string | undefined>>

/** The configuration, a pure function of the environment. Blank means not set. @throws OperatorError */
export function readConfig(env: Environment): Config {
  const result = environment.safeParse(env)
  const problems = result.success ? [] : result.error.issues.map((issue) => problemOf(issue, env))
  problems.push(...findDatabaseProblems(env))
  const mail = readMailSettings(result.data?.SMTP_URL, result.data?.MAIL_FROM)
  const bucket = readBucketSettings(result.data)
  problems.push(...mail.problems, ...bucket.problems)
  if (result.data && result.data.WORKERS > 1 && !result.data.DATABASE_URL)
    problems.push('WORKERS above 1 requires DATABASE_URL, because only one process can use the embedded database')
  if (result.data && result.data.WORKERS > 1 && result.data.METRICS_TOKEN && result.data.METRICS_PORT === undefined)
    problems.push(
      'METRICS_TOKEN with WORKERS above 1 requires METRICS_PORT, where the metrics of all processes are added',
    )
  if (result.data?.PERSISTED_OPERATIONS_ONLY && !result.data.PERSISTED_OPERATIONS)
    problems.push('PERSISTED_OPERATIONS_ONLY requires PERSISTED_OPERATIONS, the file with the operations')
  if (result.data?.OIDC_ISSUER && !oidcOf(result.data))
    problems.push('OIDC_ISSUER requires OIDC_CLIENT_ID and OIDC_CLIENT_SECRET, which the provider gives to a client')
  if (!result.success || problems.length > 0) {
    throw new OperatorError(
      ['The configuration is invalid:', ...problems.map((problem) => `  - ${problem}`)].join('\n'),
    )
  }
  const { data } = result
  const local = env.PORT?.trim() && data.PORT ? `http://127.0.0.1:${data.PORT}` : undefined
  return {
    host: data.HOST,
    port: data.PORT,
    publicUrl: data.PUBLIC_URL?.replace(/\/+$/, ''),
    serverUrl: (data.TRIBUTARY_URL ?? local)?.replace(/\/+$/, ''),
    databaseUrl: data.DATABASE_URL,
    databaseDirectUrl: data.DATABASE_DIRECT_URL,
    databaseReplicaUrls: splitReplicaUrls(data.DATABASE_REPLICA_URLS),
    databaseReplicaWaitMs: data.DATABASE_REPLICA_WAIT_MS,
    dataDir: data.DATA_DIR,
    backups: data.BACKUP_DIR
      ? { folder: data.BACKUP_DIR, everyHours: data.BACKUP_EVERY_HOURS, keep: data.BACKUP_KEEP }
      : undefined,
    adminToken: data.ADMIN_TOKEN,
    previousAdminToken: data.ADMIN_TOKEN_PREVIOUS,
    assistantKey: data.TRIBUTARY_KEY,
    importKey: data.IMPORT_KEY,
    logLevel: data.LOG_LEVEL,
    isProduction: isProduction(data.NODE_ENV),
    warnings: findWarnings(env, data),
    portalOrigins: data.PORTAL_ORIGINS,
    portalHosts: data.PORTAL_HOSTS,
    persistedOperations: data.PERSISTED_OPERATIONS
      ? { file: data.PERSISTED_OPERATIONS, only: data.PERSISTED_OPERATIONS_ONLY }
      : undefined,
    requestsPer30Seconds: data.SUPERSET_REQUESTS_PER_30_SECONDS,
    limits: {
      perKey: data.REQUESTS_PER_MINUTE_PER_KEY,
      perAddress: data.REQUESTS_PER_MINUTE_PER_ADDRESS,
      failedPerAddress: data.FAILED_AUTHENTICATIONS_PER_MINUTE,
    },
    operationMs: data.OPERATION_TIMEOUT_SECONDS * 1_000,
    maxConnections: data.MAX_CONNECTIONS,
    maxBodyBytesInAll: data.MAX_BODY_MEGABYTES * 1024 * 1024,
    workers: data.WORKERS,
    webhooks: { allowedHosts: data.WEBHOOK_ALLOWED_HOSTS, allowHttp: !isProduction(data.NODE_ENV) },
    webhookKey: data.WEBHOOK_KEY,
    cell: data.CELL,
    engine: data.ENGINE,
    oidc: oidcOf(data),
    mail: mail.settings,
    mailEvents: { secret: data.MAIL_EVENTS_SECRET, topicArn: data.MAIL_EVENTS_TOPIC_ARN },
    bucket: bucket.settings,
    metrics: { token: data.METRICS_TOKEN, port: data.METRICS_PORT },
    payoutServiceUrls: serviceUrlsOf(data),
    upgradeCheckUrl: data.UPGRADE_CHECK_URL,
    isTraced: data.OTEL_EXPORTER_OTLP_ENDPOINT !== undefined,
    eventRetentionDays: data.EVENT_RETENTION_DAYS,
    visitRetentionDays: data.VISIT_RETENTION_DAYS,
    failedRequestRetentionDays: data.FAILED_REQUEST_RETENTION_DAYS,
    feedEventRetentionDays: data.FEED_EVENT_RETENTION_DAYS,
    tracking: {
      origins: allowsAll(data.TRACKING_ORIGINS) ? '*' : data.TRACKING_ORIGINS,
      trustedProxies: data.TRUSTED_PROXIES,
      visitsPerMinute: data.TRACKING_VISITS_PER_MINUTE,
      leadsPerMinute: data.TRACKING_LEADS_PER_MINUTE,
    },
  }
}

function oidcOf(data: Settings): Config['oidc'] {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret, OIDC_NAME: name } = data
  return issuer && clientId && clientSecret ? { issuer, clientId, clientSecret, name } : undefined
}

/** `PAYPAL_API_URL` is that of `paypal`. */
const serviceUrlsOf = (data: Settings): Config['payoutServiceUrls'] =>
  Object.fromEntries(
    Object.entries(data).flatMap(([name, value]) => {
      const service = /^(.+)_API_URL$/.exec(name)?.[1]
      return service === undefined ? [] : [[service.toLowerCase(), String(value).replace(/\/+$/, '')]]
    }),
  )

const isProduction = (nodeEnv: string | undefined) =>
  nodeEnv !== undefined && !['development', 'test'].includes(nodeEnv)

function findWarnings(
  env: Environment,
  { NODE_ENV, PUBLIC_URL }: Pick<Settings, 'NODE_ENV' | 'PUBLIC_URL'>,
): ConfigWarning[] {
  const warnings: ConfigWarning[] = findMisnamed(env, Object.keys(environment.shape)).map(({ name, meant }) => ({
    event: 'unknown setting ignored',
    fields: { variable: name, meant },
  }))
  if (!isProduction(NODE_ENV)) return warnings
  if (NODE_ENV !== 'production')
    warnings.push({
      event: 'unknown environment, treated as production',
      fields: { variable: 'NODE_ENV', meant: 'production' },
    })
  if (PUBLIC_URL === undefined)
    warnings.push({
      event: 'public url not set, links lead to the listening address',
      fields: { variable: 'PUBLIC_URL' },
    })
  return warnings
}
