import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { SMTPServer } from 'smtp-server'
import { withTransaction } from '../src/database/client/transaction.ts'
import { openDatabase } from '../src/database/open.ts'
import type { Program } from '../src/generated/prisma/client.ts'
import type { AppDb } from '../src/kernel/db.ts'
import { createApiKey } from '../src/modules/access/api-keys/service.ts'
import { composeMail } from '../src/modules/mails/compose.ts'
import { queueMails } from '../src/modules/mails/queue.ts'
import { createProgram } from '../src/modules/programs/service.ts'
import { processCpuMs } from './cpu.ts'
import { createPostgresBenchDatabase, log, operatorCtx } from './database.ts'
import { during, measureQuiet, quantile } from './feeds.ts'
import { type Server, servers, startEmbedded } from './servers.ts'

export const summary = 'The outbox: mails that are sent in a second to a local server, and applications beside REST.'
export const unit = 'mails'
export const defaultSize = 2_000

const rowsAtOnce = 500
const applicationsPerHour = 10_000
const seconds = 20

/** A mail server that takes every mail, and reads it to its end. */
async function startMailServer() {
  const recipients = new Set<string>()
  let received = 0
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, { envelope }, done) {
      stream.resume().on('end', () => {
        received += 1
        for (const { address } of envelope.rcptTo) recipients.add(address)
        done()
      })
    },
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  const { port } = server.server.address() as AddressInfo
  return {
    settings: { SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: 'partners@acme.test', TRUSTED_PROXIES: '1' },
    counts: () => ({ received, recipients: recipients.size }),
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}

type Filled = { program: Program; quietKey: string }

async function fill(db: AppDb, kind: string, count: number): Promise<Filled> {
  const ctx = operatorCtx(db)
  const make = (name: string) => createProgram(ctx, { name, url: 'https://acme.test', currency: 'usd' })
  const [program, quiet] = [await make(`Mailing ${kind}`), await make(`Quiet ${kind}`)]
  const { secret: quietKey } = await createApiKey(ctx, quiet.id, { name: 'Bench' })
  const now = new Date()
  const values = { link: 'https://partners.acme.test/join/acme' }
  for (let first = 0; first < count; first += rowsAtOnce) {
    const mails = Array.from({ length: Math.min(rowsAtOnce, count - first) }, (_, index) =>
      composeMail(program, 'invitation', { to: `${kind}-${first + index}@example.com` }, values),
    )
    await withTransaction(db, (tx) => queueMails(tx, { program }, mails, now))
  }
  return { program, quietKey }
}

type MailServer = Awaited<ReturnType<typeof startMailServer>>

/** From the first mail to the last. */
async function measureSending(kind: string, server: Server, { counts }: MailServer, count: number): Promise<void> {
  const before = counts()
  while (counts().received === before.received) await pause(5)
  const startedAt = performance.now()
  const cpuBefore = await processCpuMs(server.pid)
  while (counts().recipients - before.recipients < count) await pause(20)
  const took = (performance.now() - startedAt) / 1_000
  const cpu = ((await processCpuMs(server.pid)) - cpuBefore) / count
  const twice = counts().received - before.received - count
  console.log(
    `${kind}, ${count} mails: sent in ${took.toFixed(1)} s (${(count / took).toFixed(0)} a second), ${twice} twice, CPU ${cpu.toFixed(2)} ms each`,
  )
}

/** Sends applications of many addresses at a rate, each with a mail. */
async function measureApplying(kind: string, server: Server, { program, quietKey }: Filled): Promise<void> {
  await measureQuiet(server, quietKey, during(2_000))
  const alone = await measureQuiet(server, quietKey, during(seconds * 500))
  const times: number[] = []
  let [number, failed, isOver] = [0, 0, false]
  const quiet = measureQuiet(server, quietKey, () => isOver)
  const one = async () => {
    number += 1
    const startedAt = performance.now()
    const response = await fetch(`${server.address}/join/${program.slug}`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'X-Forwarded-For': `10.${number >> 16}.${(number >> 8) & 255}.${number & 255}`,
      },
      body: JSON.stringify({ email: `${kind}-applicant-${number}@example.com`, first_name: 'Ada' }),
    })
    await response.text()
    if (response.status !== 202) failed += 1
    times.push(performance.now() - startedAt)
  }
  const begin = performance.now()
  const open: Promise<void>[] = []
  while (performance.now() < begin + seconds * 1_000) {
    while (number < ((performance.now() - begin) / 3_600_000) * applicationsPerHour) open.push(one())
    await pause(5)
  }
  await Promise.all(open)
  isOver = true
  const beside = await quiet
  const written = (list: readonly number[]) =>
    `p50 ${quantile(list, 0.5).toFixed(1)} ms, p99 ${quantile(list, 0.99).toFixed(1)} ms`
  console.log(
    `${kind}, ${applicationsPerHour} applications an hour: ${times.length} sent, ${failed} failed, ${written(times)}; ` +
      `a list of another program: ${written(beside)}, alone ${written(alone)}`,
  )
}

async function measure(kind: string, server: Server, mailServer: MailServer, filled: Filled, count: number) {
  await measureSending(kind, server, mailServer, count)
  await measureApplying(kind, server, filled)
}

async function runOnPostgres(mailServer: MailServer, count: number): Promise<void> {
  const { db, databaseUrl, drop } = await createPostgresBenchDatabase()
  try {
    const filled = await fill(db, 'PostgreSQL', count)
    const server = await servers.Tributary(databaseUrl, mailServer.settings)
    await measure('PostgreSQL', server, mailServer, filled, count).finally(server.stop)
  } finally {
    await drop()
  }
}

async function runOnEmbedded(mailServer: MailServer, count: number): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'tributary-bench-'))
  try {
    const database = await openDatabase({ dataDir, log })
    const filled = await fill(database.db, 'embedded', count).finally(database.close)
    const server = await startEmbedded.Tributary(dataDir, mailServer.settings)
    await measure('embedded', server, mailServer, filled, count).finally(server.stop)
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}

export async function run(count: number): Promise<void> {
  const mailServer = await startMailServer()
  try {
    if (process.env.BENCH_DATABASE_URL ?? process.env.TEST_DATABASE_URL) await runOnPostgres(mailServer, count)
    await runOnEmbedded(mailServer, count)
  } finally {
    await mailServer.close()
  }
}
