import { z } from 'zod'
import { allowsAll, isHostOrNetwork, isOrigin } from '../kernel/origins.ts'
import type { SettingName } from '../kernel/setting-names.ts'
import {
  cell,
  engine,
  httpUrl,
  originList,
  port,
  portalHosts,
  secret,
  topicArn,
  wholeNumber,
} from '../kernel/settings.ts'

const blankToUndefined = (value: unknown) => (typeof value === 'string' && value.trim() === '' ? undefined : value)
/** At most a hundred years. */
const days = () => wholeNumber(1, 36_500)
/** Timers hold 24 days, and nobody waits longer than a day for an answer. */
const mostSeconds = 86_400
const hoursOfYear = 8_784

const setting = <S extends z.ZodType>(schema: S) => z.preprocess(blankToUndefined, schema)

/** The variables that the service reads: their forms and defaults. */
export const environment = z.object({
  NODE_ENV: setting(z.string().optional()),
  HOST: setting(z.string().default('127.0.0.1')),
  PORT: setting(port().default(4000)),
  PUBLIC_URL: setting(httpUrl().optional()),
  DATABASE_URL: setting(z.string().optional()),
  DATABASE_DIRECT_URL: setting(z.string().optional()),
  DATABASE_REPLICA_URLS: setting(z.string().optional()),
  DATABASE_REPLICA_WAIT_MS: setting(wholeNumber(0, 60_000).default(100)),
  DATA_DIR: setting(z.string().default('./data')),
  BACKUP_DIR: setting(z.string().trim().optional()),
  BACKUP_EVERY_HOURS: setting(wholeNumber(1, hoursOfYear).default(24)),
  BACKUP_KEEP: setting(wholeNumber(1).default(7)),
  TRIBUTARY_URL: setting(httpUrl().optional()),
  TRIBUTARY_KEY: setting(z.string().trim().optional()),
  IMPORT_KEY: setting(z.string().trim().optional()),
  ADMIN_TOKEN: setting(secret(8).optional()),
  ADMIN_TOKEN_PREVIOUS: setting(secret(8).optional()),
  TRACKING_ORIGINS: setting(
    originList('*').refine((list) => allowsAll(list) || list.every(isOrigin), {
      error: 'must be * or a comma-separated list of origins, such as https://acme.test,https://shop.acme.test',
    }),
  ),
  PORTAL_ORIGINS: setting(
    originList('').refine((list) => list.every(isOrigin), {
      error: 'must be a comma-separated list of origins, such as https://partners.acme.test',
    }),
  ),
  PORTAL_HOSTS: setting(portalHosts()),
  WORKERS: setting(wholeNumber(1).default(1)),
  TRACKING_VISITS_PER_MINUTE: setting(wholeNumber(1).default(60)),
  TRACKING_LEADS_PER_MINUTE: setting(wholeNumber(1).default(30)),
  TRUSTED_PROXIES: setting(wholeNumber(0).default(0)),
  SUPERSET_REQUESTS_PER_30_SECONDS: setting(wholeNumber(1).default(45)),
  REQUESTS_PER_MINUTE_PER_KEY: setting(wholeNumber(1).optional()),
  REQUESTS_PER_MINUTE_PER_ADDRESS: setting(wholeNumber(1).optional()),
  FAILED_AUTHENTICATIONS_PER_MINUTE: setting(wholeNumber(1).default(60)),
  OPERATION_TIMEOUT_SECONDS: setting(wholeNumber(1, mostSeconds).default(15)),
  MAX_CONNECTIONS: setting(wholeNumber(1).default(5_000)),
  MAX_BODY_MEGABYTES: setting(wholeNumber(1).default(64)),
  WEBHOOK_ALLOWED_HOSTS: setting(
    originList('').refine((list) => list.every(isHostOrNetwork), {
      error: 'must be a comma-separated list of host names, addresses and networks, such as hooks.internal,10.0.0.0/8',
    }),
  ),
  WEBHOOK_KEY: setting(secret(16).optional()),
  CELL: setting(cell().optional()),
  OIDC_ISSUER: setting(httpUrl().optional()),
  OIDC_CLIENT_ID: setting(z.string().trim().optional()),
  OIDC_CLIENT_SECRET: setting(z.string().trim().optional()),
  OIDC_NAME: setting(z.string().trim().default('single sign-on')),
  SMTP_URL: setting(z.string().trim().optional()),
  MAIL_FROM: setting(z.string().trim().optional()),
  MAIL_EVENTS_SECRET: setting(secret(16).optional()),
  MAIL_EVENTS_TOPIC_ARN: setting(topicArn().optional()),
  ASSETS_BUCKET: setting(z.string().trim().optional()),
  ASSETS_BUCKET_REGION: setting(z.string().trim().default('us-east-1')),
  ASSETS_BUCKET_KEY_ID: setting(z.string().trim().optional()),
  ASSETS_BUCKET_SECRET: setting(z.string().trim().optional()),
  METRICS_TOKEN: setting(secret(16).optional()),
  METRICS_PORT: setting(port().optional()),
  OTEL_EXPORTER_OTLP_ENDPOINT: setting(httpUrl().optional()),
  OTEL_EXPORTER_OTLP_HEADERS: setting(z.string().optional()),
  OTEL_SERVICE_NAME: setting(z.string().optional()),
  OTEL_TRACES_SAMPLER: setting(z.string().optional()),
  OTEL_TRACES_SAMPLER_ARG: setting(z.string().optional()),
  EVENT_RETENTION_DAYS: setting(days().default(90)),
  VISIT_RETENTION_DAYS: setting(days().optional()),
  FAILED_REQUEST_RETENTION_DAYS: setting(days().default(7)),
  FEED_EVENT_RETENTION_DAYS: setting(days().default(400)),
  PERSISTED_OPERATIONS: setting(z.string().optional()),
  PERSISTED_OPERATIONS_ONLY: setting(
    z
      .enum(['true', 'false'], { error: 'must be true or false' })
      .default('false')
      .transform((word) => word === 'true'),
  ),
  ENGINE: setting(engine()),
  PAYPAL_API_URL: setting(httpUrl().default('https://api-m.paypal.com')),
  STRIPE_API_URL: setting(httpUrl().default('https://api.stripe.com')),
  WISE_API_URL: setting(httpUrl().default('https://api.wise.com')),
  UPGRADE_CHECK_URL: setting(httpUrl().optional()),
  LOG_LEVEL: setting(
    z
      .enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], {
        error: 'must be trace, debug, info, warn, error, fatal or silent',
      })
      .default('info'),
  ),
} satisfies Record<SettingName, z.ZodType>)

export type Settings = z.output<typeof environment>
