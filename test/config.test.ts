import { describe, expect, it } from 'vitest'
import { environment } from '../src/config/environment.ts'
import { readConfig } from '../src/config.ts'

const findProblems = (env: Record<string, string>): string => {
  try {
    readConfig(env)
    return ''
  } catch (error) {
    return (error as Error).message
  }
}

const problemsOf = (env: Record<string, string>): string =>
  findProblems(env) || expect.unreachable('the configuration was accepted')

it('has a default for every variable', () => {
  expect(readConfig({})).toEqual({
    payoutServiceUrls: {
      paypal: 'https://api-m.paypal.com',
      stripe: 'https://api.stripe.com',
      wise: 'https://api.wise.com',
    },
    host: '127.0.0.1',
    port: 4000,
    publicUrl: undefined,
    serverUrl: undefined,
    databaseUrl: undefined,
    databaseReplicaUrls: [],
    databaseReplicaWaitMs: 100,
    dataDir: './data',
    backups: undefined,
    adminToken: undefined,
    engine: ['executor', 'json', 'reader', 'batches'],
    logLevel: 'info',
    isProduction: false,
    warnings: [],
    portalOrigins: [],
    portalHosts: new Map(),
    workers: 1,
    operationMs: 15_000,
    maxConnections: 5_000,
    maxBodyBytesInAll: 64 * 1024 * 1024,
    persistedOperations: undefined,
    requestsPer30Seconds: 45,
    limits: { perKey: undefined, perAddress: undefined, failedPerAddress: 60 },
    webhooks: { allowedHosts: [], allowHttp: true },
    webhookKey: undefined,
    eventRetentionDays: 90,
    visitRetentionDays: undefined,
    failedRequestRetentionDays: 7,
    feedEventRetentionDays: 400,
    mailEvents: { secret: undefined, topicArn: undefined },
    metrics: { token: undefined, port: undefined },
    isTraced: false,
    previousAdminToken: undefined,
    tracking: { origins: '*', trustedProxies: 0, visitsPerMinute: 60, leadsPerMinute: 30 },
  })
})

it('treats blank variables as not set', () => {
  const blank = { HOST: '', PORT: ' ', PUBLIC_URL: '', DATABASE_URL: ' ', DATA_DIR: '', ADMIN_TOKEN: '', LOG_LEVEL: '' }
  expect(readConfig(blank)).toEqual(readConfig({}))
})

it('reads every variable', () => {
  const env = {
    NODE_ENV: 'production',
    HOST: '0.0.0.0',
    PORT: '8080',
    PUBLIC_URL: 'https://affiliates.acme.test/',
    TRIBUTARY_URL: 'http://localhost:8080/',
    DATABASE_URL: 'postgres://user:password@db.test:5432/tributary',
    DATA_DIR: '/var/lib/tributary',
    ADMIN_TOKEN: 'a-token-of-the-operator',
    LOG_LEVEL: 'warn',
    PERSISTED_OPERATIONS: '/etc/tributary/operations.json',
    PERSISTED_OPERATIONS_ONLY: 'true',
    SUPERSET_REQUESTS_PER_30_SECONDS: '900',
    REQUESTS_PER_MINUTE_PER_KEY: '6000',
    REQUESTS_PER_MINUTE_PER_ADDRESS: '9000',
    FAILED_AUTHENTICATIONS_PER_MINUTE: '10',
    WEBHOOK_ALLOWED_HOSTS: 'hooks.internal, 10.0.0.0/8',
    WEBHOOK_KEY: 'a-key-of-the-operator',
    EVENT_RETENTION_DAYS: '30',
    VISIT_RETENTION_DAYS: '400',
    FAILED_REQUEST_RETENTION_DAYS: '2',
    FEED_EVENT_RETENTION_DAYS: '500',
    OIDC_ISSUER: 'https://accounts.acme.test',
    OIDC_CLIENT_ID: 'tributary',
    OIDC_CLIENT_SECRET: 'a-secret-of-the-provider',
    OIDC_NAME: 'Acme accounts',
    SMTP_URL: 'smtps://acme:a%40b@mail.acme.test',
    MAIL_FROM: 'Acme <partners@acme.test>',
    MAIL_EVENTS_SECRET: 'a-secret-of-the-mail-provider',
    MAIL_EVENTS_TOPIC_ARN: 'arn:aws:sns:eu-west-1:123456789012:ses-events',
    ASSETS_BUCKET: 'https://s3.eu-west-1.amazonaws.com/acme-assets/',
    ASSETS_BUCKET_REGION: 'eu-west-1',
    ASSETS_BUCKET_KEY_ID: 'AKIA',
    ASSETS_BUCKET_SECRET: 'a-secret-of-the-bucket',
    METRICS_TOKEN: 'a-token-of-prometheus',
    METRICS_PORT: '9464',
    PAYPAL_API_URL: 'https://api-m.sandbox.paypal.com/',
    STRIPE_API_URL: 'https://stripe.test',
    WISE_API_URL: 'https://wise.test',
    UPGRADE_CHECK_URL: 'https://updates.acme.test/tributary.json',
    ADMIN_TOKEN_PREVIOUS: 'the-token-before-it',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318',
    TRACKING_ORIGINS: 'https://acme.test, http://localhost:3000',
    PORTAL_ORIGINS: 'https://partners.acme.test',
    PORTAL_HOSTS: 'Partners.acme.test=acme, partners.globex.test:8443=globex',
    TRACKING_VISITS_PER_MINUTE: '600',
    TRACKING_LEADS_PER_MINUTE: '10',
    TRUSTED_PROXIES: '2',
    WORKERS: '4',
    OPERATION_TIMEOUT_SECONDS: '20',
    MAX_CONNECTIONS: '900',
    MAX_BODY_MEGABYTES: '8',
    DATABASE_REPLICA_URLS: 'postgres://one.test/tributary, postgres://two.test/tributary',
    DATABASE_REPLICA_WAIT_MS: '250',
    ENGINE: 'reader, json',
    UNRELATED: 'x',
  }
  expect(readConfig(env)).toEqual({
    host: '0.0.0.0',
    port: 8080,
    publicUrl: 'https://affiliates.acme.test',
    serverUrl: 'http://localhost:8080',
    databaseUrl: 'postgres://user:password@db.test:5432/tributary',
    databaseReplicaUrls: ['postgres://one.test/tributary', 'postgres://two.test/tributary'],
    databaseReplicaWaitMs: 250,
    dataDir: '/var/lib/tributary',
    adminToken: 'a-token-of-the-operator',
    engine: ['reader', 'json'],
    logLevel: 'warn',
    metrics: { token: 'a-token-of-prometheus', port: 9464 },
    payoutServiceUrls: {
      paypal: 'https://api-m.sandbox.paypal.com',
      stripe: 'https://stripe.test',
      wise: 'https://wise.test',
    },
    upgradeCheckUrl: 'https://updates.acme.test/tributary.json',
    isTraced: true,
    previousAdminToken: 'the-token-before-it',
    isProduction: true,
    warnings: [],
    portalOrigins: ['https://partners.acme.test'],
    portalHosts: new Map([
      ['partners.acme.test', 'acme'],
      ['partners.globex.test:8443', 'globex'],
    ]),
    persistedOperations: { file: '/etc/tributary/operations.json', only: true },
    workers: 4,
    operationMs: 20_000,
    maxConnections: 900,
    maxBodyBytesInAll: 8 * 1024 * 1024,
    requestsPer30Seconds: 900,
    limits: { perKey: 6000, perAddress: 9000, failedPerAddress: 10 },
    webhooks: { allowedHosts: ['hooks.internal', '10.0.0.0/8'], allowHttp: false },
    webhookKey: 'a-key-of-the-operator',
    eventRetentionDays: 30,
    visitRetentionDays: 400,
    failedRequestRetentionDays: 2,
    feedEventRetentionDays: 500,
    oidc: {
      ...{ issuer: 'https://accounts.acme.test', clientId: 'tributary' },
      ...{ clientSecret: 'a-secret-of-the-provider', name: 'Acme accounts' },
    },
    mail: {
      ...{ host: 'mail.acme.test', port: 465, isSecure: true, user: 'acme', password: 'a@b' },
      from: 'Acme <partners@acme.test>',
    },
    mailEvents: {
      secret: 'a-secret-of-the-mail-provider',
      topicArn: 'arn:aws:sns:eu-west-1:123456789012:ses-events',
    },
    bucket: {
      ...{ url: 'https://s3.eu-west-1.amazonaws.com/acme-assets', region: 'eu-west-1' },
      ...{ keyId: 'AKIA', secret: 'a-secret-of-the-bucket' },
    },
    tracking: {
      origins: ['https://acme.test', 'http://localhost:3000'],
      trustedProxies: 2,
      visitsPerMinute: 600,
      leadsPerMinute: 10,
    },
  })
})

it('commands use PORT only if it is set: else the server of the data directory has noted its address', () => {
  expect(readConfig({ PORT: '4100' }).serverUrl).toBe('http://127.0.0.1:4100')
  for (const PORT of [' ', '0']) expect(readConfig({ PORT }).serverUrl).toBeUndefined()
})

it('accepts port 0, which means any free port', () => expect(readConfig({ PORT: '0' }).port).toBe(0))

describe('NODE_ENV', () => {
  it.each([
    ['production', true],
    ['prod', true],
    ['Production', true],
    ['staging', true],
    ['development', false],
    ['test', false],
    ['', false],
  ])('%j is read as production: %s', (word, isProduction) =>
    expect(readConfig({ NODE_ENV: word }).isProduction).toBe(isProduction),
  )
})

describe('a warning is given for', () => {
  const PUBLIC_URL = 'https://affiliates.acme.test'
  const warningsOf = (env: Record<string, string>) => readConfig(env).warnings

  it('a variable whose name is probably a misspelled setting, with the right name and without its value', () => {
    expect(warningsOf({ DATABASE_URI: 'postgres://user:hunter2@db.test/x', PORTAL_ORIGIN: 'https://a.test' })).toEqual([
      { event: 'unknown setting ignored', fields: { variable: 'DATABASE_URI', meant: 'DATABASE_URL' } },
      { event: 'unknown setting ignored', fields: { variable: 'PORTAL_ORIGIN', meant: 'PORTAL_ORIGINS' } },
    ])
  })

  it('production without PUBLIC_URL', () => {
    expect(warningsOf({ NODE_ENV: 'production' })).toEqual([
      { event: 'public url not set, links lead to the listening address', fields: { variable: 'PUBLIC_URL' } },
    ])
    expect(warningsOf({ NODE_ENV: 'production', PUBLIC_URL })).toEqual([])
    expect(warningsOf({})).toEqual([])
  })

  it('an environment whose name is unknown', () => {
    expect(warningsOf({ NODE_ENV: 'prod', PUBLIC_URL })).toEqual([
      { event: 'unknown environment, treated as production', fields: { variable: 'NODE_ENV', meant: 'production' } },
    ])
  })
})

describe('invalid values', () => {
  it.each([
    ['PORT', 'http'],
    ['PORT', '65536'],
    ['PORT', '-1'],
    ['PORT', '80.5'],
    ['PUBLIC_URL', 'affiliates.acme.test'],
    ['PUBLIC_URL', 'ftp://acme.test'],
    ['TRIBUTARY_URL', 'localhost:4000'],
    ['DATABASE_URL', 'mysql://localhost/tributary'],
    ['DATABASE_DIRECT_URL', 'mysql://localhost/tributary'],
    ['DATABASE_DIRECT_URL', 'postgres://localhost/tributary'],
    ['DATABASE_URL', 'nonsense'],
    ['DATABASE_REPLICA_URLS', 'postgres://localhost/tributary'],
    ['DATABASE_REPLICA_URLS', 'postgres://one/tributary,nonsense'],
    ['DATABASE_REPLICA_URLS', 'postgres://one/tributary?target_session_attrs=standby'],
    ['DATABASE_REPLICA_WAIT_MS', 'long'],
    ['ADMIN_TOKEN', 'short'],
    ['ADMIN_TOKEN', 'with a space in it'],
    ['LOG_LEVEL', 'loud'],
    ['ENGINE', 'reader,turbo'],
    ['TRACKING_ORIGINS', 'acme.test'],
    ['TRACKING_ORIGINS', 'https://acme.test/'],
    ['TRACKING_ORIGINS', '*,https://acme.test'],
    ['PORTAL_ORIGINS', '*'],
    ['PORTAL_ORIGINS', 'https://acme.test/portal'],
    ['PORTAL_HOSTS', 'https://acme.test=acme'],
    ['PORTAL_HOSTS', 'partners.acme.test'],
    ['PORTAL_HOSTS', 'a.test=acme,b.test=acme'],
    ['PORTAL_HOSTS', 'a.test=acme,a.test=globex'],
    ['TRACKING_VISITS_PER_MINUTE', '0'],
    ['TRACKING_LEADS_PER_MINUTE', 'many'],
    ['TRUSTED_PROXIES', '-1'],
    ['PERSISTED_OPERATIONS_ONLY', 'perhaps'],
    ['PERSISTED_OPERATIONS_ONLY', 'true'],
  ])('%s=%s is rejected with the name of the variable', (name, value) =>
    expect(problemsOf({ [name]: value })).toContain(name),
  )

  it('are all reported at once', () => {
    const message = problemsOf({ PORT: 'x', PUBLIC_URL: 'x', DATABASE_URL: 'x', ADMIN_TOKEN: 'x', LOG_LEVEL: 'x' })
    for (const name of ['PORT', 'PUBLIC_URL', 'DATABASE_URL', 'ADMIN_TOKEN', 'LOG_LEVEL'])
      expect(message).toContain(name)
  })

  it('are repeated, so that the operator finds them', () => {
    expect(problemsOf({ PORT: 'abc', LOG_LEVEL: 'loud' })).toBe(
      [
        'The configuration is invalid:',
        '  - PORT must be a port number. It is "abc".',
        '  - LOG_LEVEL must be trace, debug, info, warn, error, fatal or silent. It is "loud".',
      ].join('\n'),
    )
  })

  const secrets = ['grpc://user:hunter2@host.test', 'https://user:hunter2@host.test/x', 'user:hunter2@host']
  it.each(Object.keys(environment.shape))('of %s are reported without a password in them', (name) => {
    for (const value of secrets) expect(findProblems({ [name]: value })).not.toContain('hunter2')
    const problem = findProblems({ [name]: 'host.test/hunter2' })
    if (problem.includes('must be a URL')) expect(problem).not.toContain('hunter2')
  })

  it('are reported without the secrets in them', () => {
    const message = problemsOf({ DATABASE_URL: 'mysql://user:hunter2@db.test/x', ADMIN_TOKEN: 'pass wd' })
    expect(message).not.toContain('hunter2')
    expect(message).not.toContain('pass wd')
  })
})

it.each([
  [{ SMTP_URL: 'smtp://mail.acme.test' }, 'SMTP_URL requires MAIL_FROM'],
  [{ MAIL_FROM: 'partners@acme.test' }, 'MAIL_FROM requires SMTP_URL'],
  [{ SMTP_URL: 'https://u:secret@mail.acme.test', MAIL_FROM: 'partners@acme.test' }, 'SMTP_URL must be smtp://'],
  [
    { SMTP_URL: 'smtp://u:secret@mail.acme.test/?pool=true', MAIL_FROM: 'partners@acme.test' },
    'SMTP_URL must be smtp://',
  ],
  [{ SMTP_URL: 'smtp://mail.acme.test', MAIL_FROM: 'Acme partners' }, 'MAIL_FROM must be an e-mail address'],
  [
    { MAIL_EVENTS_TOPIC_ARN: 'arn:aws:sns:ireland:123456789012:ses' },
    'MAIL_EVENTS_TOPIC_ARN must be a topic of Amazon',
  ],
  [{ ASSETS_BUCKET: 'https://acme-assets.s3.amazonaws.com' }, 'ASSETS_BUCKET must be the address of the bucket'],
  [{ ASSETS_BUCKET: 'https://s3.acme.test/assets' }, 'ASSETS_BUCKET requires ASSETS_BUCKET_KEY_ID'],
  [{ ASSETS_BUCKET_SECRET: 'secret' }, 'require ASSETS_BUCKET'],
])('%o: %s', (env, problem) => {
  expect(problemsOf(env as Record<string, string>)).toContain(problem)
  expect(problemsOf(env as Record<string, string>)).not.toContain('secret')
})

it.each([
  ['BACKUP_EVERY_HOURS', 8_784],
  ['OPERATION_TIMEOUT_SECONDS', 86_400],
  ['DATABASE_REPLICA_WAIT_MS', 60_000],
  ['EVENT_RETENTION_DAYS', 36_500],
  ['VISIT_RETENTION_DAYS', 36_500],
  ['FAILED_REQUEST_RETENTION_DAYS', 36_500],
  ['FEED_EVENT_RETENTION_DAYS', 36_500],
])('%s is at most %d, which timers and dates hold', (name, most) => {
  expect(() => readConfig({ [name]: String(most) })).not.toThrow()
  expect(problemsOf({ [name]: String(most + 1) })).toContain(`must be at most ${most}`)
})

it('reads when the database is backed up', () => {
  expect(readConfig({ BACKUP_DIR: '/backups' }).backups).toEqual({ folder: '/backups', everyHours: 24, keep: 7 })
  expect(readConfig({ BACKUP_DIR: '/backups', BACKUP_EVERY_HOURS: '6', BACKUP_KEEP: '3' }).backups).toEqual({
    folder: '/backups',
    everyHours: 6,
    keep: 3,
  })
  const url = 'postgres://user:password@db.test:5432/tributary'
  expect(readConfig({ BACKUP_DIR: '/backups', DATABASE_URL: url }).backups?.folder).toBe('/backups')
  expect(readConfig({ BACKUP_DIR: '/backups', BACKUP_EVERY_HOURS: '720' }).backups?.everyHours).toBe(720)
})

it('ENGINE=plain uses no mechanism', () => {
  expect(readConfig({ ENGINE: 'plain' }).engine).toEqual([])
})
