import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { chromium } from 'playwright-core'
import { createApiKey } from '../src/modules/access/api-keys/service.ts'
import { acceptReconciliation } from '../src/modules/statements/accept.ts'
import { closeMonth } from '../src/modules/statements/close.ts'
import { createApp } from '../src/server/app.ts'
import { month, squeeze } from './closed-months.ts'
import { createPostgresBenchDatabase, log, operatorCtx, withClient } from './database.ts'
import { createFilledProgram } from './filled.ts'
import { median } from './measure.ts'

export const summary = 'How long /verify takes for a statement, in Chromium. PostgreSQL.'
export const unit = 'sales of the statement'
export const defaultSize = 500

const goalMs = 1_000
const tries = 7

export async function run(sales: number): Promise<void> {
  const { db, drop, ...database } = await createPostgresBenchDatabase()
  try {
    const filled = { sales, affiliates: 1 }
    const { programId } = await createFilledProgram({ db, databaseUrl: database.databaseUrl }, filled)
    await withClient(database.databaseUrl, (client) => client.query(squeeze(programId)))
    const key = Buffer.alloc(32, 1)
    const program = await db.program.findUniqueOrThrow({ where: { id: programId } })
    const ctx = { ...operatorCtx(db), program, webhooks: { key } }
    await acceptReconciliation(ctx, { month, reason: 'Paid by hand' })
    await closeMonth(ctx, { month })
    const { secret } = await createApiKey(operatorCtx(db), programId, { name: 'Statements', profile: 'superset' })
    const { id } = await db.statement.findFirstOrThrow({ where: { programId } })
    let address = ''
    const webhooks = { key, allowedHosts: [], allowHttp: false, isIdle: true }
    const app = createApp({
      database: { db, ...database },
      adminToken: 'token-of-the-bench',
      publicUrl: () => address,
      log,
      webhooks,
    })
    const server = createServer((request, response) => app.handle(request, response))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const response = await fetch(`${address}/v1/statements/${id}.json`, {
      headers: { Authorization: `Bearer ${secret}` },
    })
    const statement = Buffer.from(await response.arrayBuffer())
    if (response.status !== 200) throw new Error(statement.toString())
    const { lines } = JSON.parse(statement.toString())
    const ms = await timedInPage(address, statement)
    const kilobytes = (statement.length / 1_000).toFixed(0)
    console.log(`${lines.length} lines, ${kilobytes} kB: verified in ${ms.toFixed(0)} ms (goal ${goalMs})`)
    server.close()
    app.stop()
  } finally {
    await drop()
  }
}

/** From the choice of the file to the words that it is genuine, each in a new page. */
async function timedInPage(address: string, buffer: Buffer): Promise<number> {
  const executablePath = '/usr/bin/chromium-headless-shell'
  const browser = await chromium.launch({ executablePath, args: ['--headless', '--no-sandbox', '--disable-gpu'] })
  const times: number[] = []
  for (let n = 0; n < tries; n += 1) {
    const page = await browser.newPage()
    await page.goto(`${address}/verify`)
    const file = { name: 'statement.json', mimeType: 'application/json', buffer }
    const from = performance.now()
    await page.locator('input').first().setInputFiles(file)
    await page.getByText('Genuine, unchanged, whole').waitFor()
    times.push(performance.now() - from)
    await page.close()
  }
  await browser.close()
  return median(times)
}
