import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { openDatabase } from '../src/database/open.ts'
import { foldListCounts } from '../src/database/upkeep/list-counts.ts'
import { foldDeltas } from '../src/modules/analytics/fold.ts'
import { makeDemoProgram } from '../src/modules/demo/service.ts'
import { createSetUpToken } from '../src/modules/people/set-up.ts'
import { launchChromium } from '../test/support/browser.ts'
import { createPostgresBenchDatabase, log } from './database.ts'
import { median } from './measure.ts'
import { type Server, servers, startEmbedded } from './servers.ts'

export const summary =
  'From opening /dashboard in Chromium, nothing cached, to the numbers of Home. PostgreSQL and embedded.'
export const unit = 'loads of the demo program'
export const defaultSize = 5

const goalMs = 1_000

export async function run(loads: number): Promise<void> {
  const { db, databaseUrl, close, drop } = await createPostgresBenchDatabase()
  try {
    const token = await prepare(db)
    await close()
    await report('PostgreSQL', await servers.Tributary(databaseUrl), token, loads)
  } finally {
    await drop()
  }
  const dataDir = await mkdtemp(join(tmpdir(), 'tributary-bench-'))
  try {
    const embedded = await openDatabase({ dataDir, log })
    const token = await prepare(embedded.db)
    await embedded.close()
    await report('embedded', await startEmbedded.Tributary(dataDir), token, loads)
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}

/** Makes the demo program, as a first start does. Returns the token of a set-up link. */
async function prepare(db: Parameters<typeof makeDemoProgram>[0]): Promise<string> {
  await makeDemoProgram(db, { now: new Date(), asked: true, events: false })
  await foldDeltas(db)
  await foldListCounts(db)
  return createSetUpToken(db, new Date())
}

async function report(what: string, server: Server, token: string, loads: number): Promise<void> {
  const browser = await launchChromium()
  try {
    const origin = `http://localhost:${new URL(server.address).port}`
    const cookies = await signIn(origin, token)
    const times: number[] = []
    for (let n = 0; n < loads; n += 1) times.push(await timeToNumbers(browser, origin, cookies))
    const all = times.map((ms) => ms.toFixed(0)).join(', ')
    console.log(`${what}: ${median(times).toFixed(0)} ms to the numbers of Home (goal ${goalMs}); each load: ${all}`)
  } finally {
    await browser.close()
    await server.stop()
  }
}

type Cookie = { name: string; value: string; url: string }

/** Signs the first operator in. */
async function signIn(origin: string, token: string): Promise<Cookie[]> {
  const person = { name: 'Bench', email: 'bench@acme.test', password: 'four random words here' }
  const response = await fetch(`${origin}/dashboard/setup`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Origin: origin },
    body: JSON.stringify({ token, ...person }),
  })
  if (!response.ok) throw new Error(`The set-up failed: ${await response.text()}`)
  return response.headers.getSetCookie().map((cookie) => {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
    return { name, value, url: origin }
  })
}

/** Notes the frame in which the figures and their chart are there. It is a text, because tsx changes functions. */
const noteNumbers = `requestAnimationFrame(function look() {
  if (document.querySelector('.metrics strong') && document.querySelector('.chart svg'))
    window.numbersShownMs = performance.now()
  else requestAnimationFrame(look)
})`

/** A new context has an empty cache. */
async function timeToNumbers(browser: Browser, origin: string, cookies: Cookie[]): Promise<number> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  try {
    await context.addCookies(cookies)
    await context.addInitScript(noteNumbers)
    const page = await context.newPage()
    await page.goto(`${origin}/dashboard`)
    const shown = await page.waitForFunction(() => (window as { numbersShownMs?: number }).numbersShownMs)
    return (await shown.jsonValue()) as number
  } finally {
    await context.close()
  }
}
