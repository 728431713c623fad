import { onTestFinished } from 'vitest'
import { withStore } from '../../src/cli/program-file/session.ts'
import { digestOf } from '../../src/database/move/digest.ts'
import { openDatabase } from '../../src/database/open.ts'
import { notCompared, readProgramTables } from '../../src/database/program-file/tables.ts'
import { readWebhookKey } from '../../src/modules/webhooks/key.ts'
import { createApp } from '../../src/server/app.ts'
import { adminToken, graphqlClient } from './app.ts'
import { makeDataDir } from './data-directory.ts'
import { createPostgresClone, silentLog as log } from './database.ts'

export type Kind = 'embedded' | 'postgres'
export type Installation = { env: Record<string, string> }

const keyText = 'the-key-of-the-first-installation'

/** An installation whose database is empty. */
export async function createInstallation(kind: Kind, webhookKey = keyText): Promise<Installation> {
  const dataDir = await makeDataDir()
  if (kind === 'embedded') return { env: { DATA_DIR: dataDir, DATABASE_URL: '', WEBHOOK_KEY: webhookKey } }
  const { url, drop } = await createPostgresClone()
  onTestFinished(drop)
  return { env: { DATA_DIR: dataDir, DATABASE_URL: url, WEBHOOK_KEY: webhookKey } }
}

/** Runs a command with the settings of an installation. */
export async function within<T>({ env }: Installation, run: () => Promise<T>): Promise<T> {
  const before = { ...process.env }
  Object.assign(process.env, env)
  try {
    return await run()
  } finally {
    for (const name of Object.keys(env)) {
      if (before[name] === undefined) delete process.env[name]
      else process.env[name] = before[name]
    }
    process.exitCode = 0
  }
}

/** The service of an installation, while `run` uses it. */
export async function serving<T>(
  { env }: Installation,
  run: (service: Service) => Promise<T>,
  now?: () => Date,
): Promise<T> {
  const database = await openDatabase({
    dataDir: env.DATA_DIR as string,
    log,
    ...(env.DATABASE_URL && { databaseUrl: env.DATABASE_URL }),
  })
  const key = await readWebhookKey(env.WEBHOOK_KEY, env.DATA_DIR as string)
  const app = createApp({
    database,
    adminToken,
    publicUrl: () => 'http://localhost:4000',
    log,
    ...(now && { now }),
    webhooks: { key, allowedHosts: ['127.0.0.1'], allowHttp: true },
  })
  const operator = graphqlClient(app.fetch, { Authorization: `Bearer ${adminToken}` })
  try {
    return await run({ app, db: database.db, operator })
  } finally {
    app.stop()
    await app.flush()
    await database.close()
  }
}

export type Service = {
  app: ReturnType<typeof createApp>
  db: Awaited<ReturnType<typeof openDatabase>>['db']
  operator: ReturnType<typeof graphqlClient>
}

/** The digests of all tables of a program. */
export async function digestsOf(installation: Installation, programId: string) {
  return within(installation, () =>
    withStore(async ({ query }) => {
      const digests: Record<string, unknown> = {}
      for (const table of await readProgramTables(query))
        if (!notCompared.includes(table.name))
          digests[table.name] = await digestOf(query, table, { where: table.of(programId), without: table.own })
      return digests
    }),
  )
}
