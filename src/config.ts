import { z } from 'zod'
import { OperatorError } from './database/operator-error.ts'
import { parseDatabaseUrl } from './database/postgres.ts'

const blankToUndefined = (value: unknown) => (typeof value === 'string' && value.trim() === '' ? undefined : value)
const setting = <S extends z.ZodType>(schema: S) => z.preprocess(blankToUndefined, schema)

const count = (least: number) =>
  z.coerce
    .number({ error: 'must be a number' })
    .int('must be a whole number')
    .min(least, `must be at least ${least}`)
    .max(1_000_000, 'must be at most 1000000')

const origins = (unlessSet: string) =>
  z
    .string()
    .default(unlessSet)
    .transform((list) =>
      list
        .split(',')
        .map((origin) => origin.trim())
        .filter(Boolean),
    )

const environment = z.object({
  NODE_ENV: setting(z.string().optional()),
  HOST: setting(z.string().default('127.0.0.1')),
  PORT: setting(
    z.coerce
      .number({ error: 'must be a port number' })
      .int('must be a whole number')
      .min(0, 'must be at least 0')
      .max(65_535, 'must be at most 65535')
      .default(4000),
  ),
  PUBLIC_URL: setting(
    z.string().refine(isHttpUrl, 'must be an address that starts with http:// or https://').optional(),
  ),
  DATABASE_URL: setting(z.string().optional()),
  DATA_DIR: setting(z.string().default('./data')),
  TRIBUTARY_URL: setting(
    z.string().refine(isHttpUrl, 'must be an address that starts with http:// or https://').optional(),
  ),
  IMPORT_KEY: setting(z.string().trim().optional()),
  ADMIN_TOKEN: setting(
    z
      .string()
      .regex(/^\S+$/, 'must not contain spaces')
      .min(8, 'must have at least 8 characters; 32 random ones are better')
      .optional(),
  ),
  TRACKING_ORIGINS: setting(
    origins('*').refine((list) => isEverywhere(list) || list.every(isOrigin), {
      error: 'must be * or origins with commas between them, such as https://acme.test,https://shop.acme.test',
    }),
  ),
  PORTAL_ORIGINS: setting(
    origins('').refine((list) => list.every(isOrigin), {
      error: 'must be origins with commas between them, such as https://partners.acme.test',
    }),
  ),
  TRACKING_VISITS_PER_MINUTE: setting(count(1).default(60)),
  TRACKING_LEADS_PER_MINUTE: setting(count(1).default(30)),
  TRUSTED_PROXIES: setting(count(0).default(0)),
  SUPERSET_REQUESTS_PER_30_SECONDS: setting(count(1).default(45)),
  PERSISTED_OPERATIONS: setting(z.string().optional()),
  PERSISTED_OPERATIONS_ONLY: setting(
    z
      .enum(['true', 'false'], { error: 'must be true or false' })
      .default('false')
      .transform((word) => word === 'true'),
  ),
  LOG_LEVEL: setting(
    z
      .enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], {
        error: 'must be trace, debug, info, warn, error, fatal or silent',
      })
      .default('info'),
  ),
})

export type Config = {
  host: string
  port: number
  /** Without a slash at the end; undefined where it follows from where the service listens. */
  publicUrl: string | undefined
  databaseUrl: string | undefined
  dataDir: string
  adminToken: string | undefined
  /** A key to the server that a program is imported from. */
  importKey: string | undefined
  /** Where the command line finds the running server, without a slash at the end. */
  serverUrl: string
  logLevel: z.output<typeof environment>['LOG_LEVEL']
  isProduction: boolean
  /** The origins whose pages may ask GraphQL: portals of affiliates. */
  portalOrigins: string[]
  /** Operations that clients name instead of sending them; undefined where there is no list. */
  persistedOperations: { file: string; only: boolean } | undefined
  /** For each key of the superset profile. */
  requestsPer30Seconds: number
  tracking: {
    /** The origins whose pages may use the tracking endpoints. */
    origins: '*' | string[]
    /** How many proxies stand before the service, each of which adds to X-Forwarded-For. */
    trustedProxies: number
    /** For each address. */
    visitsPerMinute: number
    leadsPerMinute: number
  }
}

/**
 * The configuration, a pure function of the environment. A blank variable is one that is not set.
 *
 * @throws OperatorError that lists every problem
 */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const result = environment.safeParse(env)
  const problems = result.success ? [] : result.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`)
  problems.push(...databaseProblems(env.DATABASE_URL))
  if (result.data?.PERSISTED_OPERATIONS_ONLY && !result.data.PERSISTED_OPERATIONS)
    problems.push('PERSISTED_OPERATIONS_ONLY needs PERSISTED_OPERATIONS, the file that lists them')
  if (!result.success || problems.length > 0) {
    throw new OperatorError(
      ['The configuration is not usable:', ...problems.map((problem) => `  - ${problem}`)].join('\n'),
    )
  }
  const { data } = result
  return {
    host: data.HOST,
    port: data.PORT,
    publicUrl: data.PUBLIC_URL?.replace(/\/+$/, ''),
    serverUrl: (data.TRIBUTARY_URL ?? `http://127.0.0.1:${data.PORT}`).replace(/\/+$/, ''),
    databaseUrl: data.DATABASE_URL,
    dataDir: data.DATA_DIR,
    adminToken: data.ADMIN_TOKEN,
    importKey: data.IMPORT_KEY,
    logLevel: data.LOG_LEVEL,
    isProduction: data.NODE_ENV === 'production',
    portalOrigins: data.PORTAL_ORIGINS,
    persistedOperations: data.PERSISTED_OPERATIONS
      ? { file: data.PERSISTED_OPERATIONS, only: data.PERSISTED_OPERATIONS_ONLY }
      : undefined,
    requestsPer30Seconds: data.SUPERSET_REQUESTS_PER_30_SECONDS,
    tracking: {
      origins: isEverywhere(data.TRACKING_ORIGINS) ? '*' : data.TRACKING_ORIGINS,
      trustedProxies: data.TRUSTED_PROXIES,
      visitsPerMinute: data.TRACKING_VISITS_PER_MINUTE,
      leadsPerMinute: data.TRACKING_LEADS_PER_MINUTE,
    },
  }
}

function databaseProblems(databaseUrl: string | undefined): string[] {
  if (!databaseUrl?.trim()) return []
  try {
    parseDatabaseUrl(databaseUrl)
    return []
  } catch (error) {
    return [(error as Error).message]
  }
}

function isHttpUrl(value: string): boolean {
  return /^https?:\/\//i.test(value) && URL.canParse(value)
}

const isEverywhere = (origins: string[]) => origins.length === 1 && origins[0] === '*'

/** As browsers send it: no path, no slash at the end. */
function isOrigin(value: string): boolean {
  return isHttpUrl(value) && new URL(value).origin === value
}
