import { z } from 'zod'
import { OperatorError } from './database/operator-error.ts'
import { parseDatabaseUrl } from './database/postgres.ts'
import { findMisnamed } from './kernel/misnamed.ts'

const blankToUndefined = (value: unknown) => (typeof value === 'string' && value.trim() === '' ? undefined : value)
const setting = <S extends z.ZodType>(schema: S) => z.preprocess(blankToUndefined, schema)

const wholeNumber = (min: number) =>
  z.coerce
    .number({ error: 'must be a number' })
    .int('must be a whole number')
    .min(min, `must be at least ${min}`)
    .max(1_000_000, 'must be at most 1000000')

const originList = (defaultValue: string) =>
  z
    .string()
    .default(defaultValue)
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
  PUBLIC_URL: setting(z.string().refine(isHttpUrl, 'must be a URL that starts with http:// or https://').optional()),
  DATABASE_URL: setting(z.string().optional()),
  DATA_DIR: setting(z.string().default('./data')),
  TRIBUTARY_URL: setting(z.string().refine(isHttpUrl, 'must be a URL that starts with http:// or https://').optional()),
  IMPORT_KEY: setting(z.string().trim().optional()),
  ADMIN_TOKEN: setting(
    z
      .string()
      .regex(/^\S+$/, 'must not contain spaces')
      .min(8, 'must have at least 8 characters; 32 random characters are recommended')
      .optional(),
  ),
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
  TRACKING_VISITS_PER_MINUTE: setting(wholeNumber(1).default(60)),
  TRACKING_LEADS_PER_MINUTE: setting(wholeNumber(1).default(30)),
  TRUSTED_PROXIES: setting(wholeNumber(0).default(0)),
  SUPERSET_REQUESTS_PER_30_SECONDS: setting(wholeNumber(1).default(45)),
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

/** A log event. `meant` is what the operator probably wanted to write. */
export type ConfigWarning = { event: string; fields: { variable: string; meant?: string } }

export type Config = {
  host: string
  port: number
  /** Without a trailing slash. Undefined means: the address that the service listens on. */
  publicUrl: string | undefined
  databaseUrl: string | undefined
  dataDir: string
  adminToken: string | undefined
  /** An API key of the server that a program is imported from. */
  importKey: string | undefined
  /** The URL at which the command line reaches the running service, without a trailing slash. */
  serverUrl: string
  logLevel: z.output<typeof environment>['LOG_LEVEL']
  /** NODE_ENV is set, and neither development nor test: a word such as "prod" means production too. */
  isProduction: boolean
  /** Settings that are probably not what the operator means. The service starts nevertheless. */
  warnings: ConfigWarning[]
  /** The origins of affiliate portals, whose pages may use GraphQL. */
  portalOrigins: string[]
  /** Operations that clients run by id; undefined without a file. */
  persistedOperations: { file: string; only: boolean } | undefined
  /** For each API key with the superset profile. */
  requestsPer30Seconds: number
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

/**
 * The configuration: a pure function of the environment. Blank variables count as not set.
 *
 * @throws OperatorError with every problem
 */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const result = environment.safeParse(env)
  const problems = result.success ? [] : result.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`)
  problems.push(...databaseProblems(env.DATABASE_URL))
  if (result.data?.PERSISTED_OPERATIONS_ONLY && !result.data.PERSISTED_OPERATIONS)
    problems.push('PERSISTED_OPERATIONS_ONLY requires PERSISTED_OPERATIONS, the file with the operations')
  if (!result.success || problems.length > 0) {
    throw new OperatorError(
      ['The configuration is invalid:', ...problems.map((problem) => `  - ${problem}`)].join('\n'),
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
    isProduction: isProduction(data.NODE_ENV),
    warnings: findWarnings(env, data),
    portalOrigins: data.PORTAL_ORIGINS,
    persistedOperations: data.PERSISTED_OPERATIONS
      ? { file: data.PERSISTED_OPERATIONS, only: data.PERSISTED_OPERATIONS_ONLY }
      : undefined,
    requestsPer30Seconds: data.SUPERSET_REQUESTS_PER_30_SECONDS,
    tracking: {
      origins: allowsAll(data.TRACKING_ORIGINS) ? '*' : data.TRACKING_ORIGINS,
      trustedProxies: data.TRUSTED_PROXIES,
      visitsPerMinute: data.TRACKING_VISITS_PER_MINUTE,
      leadsPerMinute: data.TRACKING_LEADS_PER_MINUTE,
    },
  }
}

const isProduction = (nodeEnv: string | undefined) =>
  nodeEnv !== undefined && !['development', 'test'].includes(nodeEnv)

function findWarnings(
  env: Readonly<Record<string, string | undefined>>,
  { NODE_ENV, PUBLIC_URL }: Pick<z.output<typeof environment>, 'NODE_ENV' | 'PUBLIC_URL'>,
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

const allowsAll = (origins: string[]) => origins.length === 1 && origins[0] === '*'

/** As browsers send it: without a path and a trailing slash. */
function isOrigin(value: string): boolean {
  return isHttpUrl(value) && new URL(value).origin === value
}
