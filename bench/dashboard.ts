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
import { type Click, type Cookie, clickThrough } from './clicks.ts'
import { createPostgresBenchDatabase, log } from './database.ts'
import { createFilledProgram } from './filled.ts'
import { median } from './measure.ts'
import { type Server, servers, startEmbedded } from './servers.ts'

export const summary =
  'From opening /dashboard in Chromium, nothing cached, to the numbers of Home, and from each click to its content. PostgreSQL and embedded.'
export const unit = 'sales of the large program'
export const defaultSize = 1_000_000

const goalMs = 1_000
/** How often everything is opened and clicked. */
const loads = 5
const demo = { slug: 'northwind-analytics', find: 'ada', goalMs: 300 }

export async function run(sales: number): Promise<void> {
  const { db, databaseUrl, close, drop } = await createPostgresBenchDatabase()
  try {
    const token = await prepare(db)
    await createFilledProgram({ db, databaseUrl }, { sales, affiliates: Math.ceil(sales / 100) })
    const large = { slug: 'bench', find: 'affiliate 77', goalMs: 500 }
    await close()
    await report('PostgreSQL', await servers.Tributary(databaseUrl), token, [demo, large])
  } finally {
    await drop()
  }
  const dataDir = await mkdtemp(join(tmpdir(), 'tributary-bench-'))
  try {
    const embedded = await openDatabase({ dataDir, log })
    const token = await prepare(embedded.db)
    await embedded.close()
    await report('embedded', await startEmbedded.Tributary(dataDir), token, [demo])
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

type Program = { slug: string; find: string; goalMs: number }

async function report(what: string, server: Server, token: string, programs: Program[]): Promise<void> {
  const browser = await launchChromium()
  try {
    const origin = `http://localhost:${new URL(server.address).port}`
    const cookies = await signIn(origin, token)
    const times: number[] = []
    for (let n = 0; n < loads; n += 1) times.push(await timeToNumbers(browser, origin, cookies))
    const all = times.map((ms) => ms.toFixed(0)).join(', ')
    console.log(`${what}: ${median(times).toFixed(0)} ms to the numbers of Home (goal ${goalMs}); each load: ${all}`)
    for (const program of programs) await reportClicks(browser, origin, cookies, program)
  } finally {
    await browser.close()
    await server.stop()
  }
}

async function reportClicks(browser: Browser, origin: string, cookies: Cookie[], program: Program): Promise<void> {
  const { slug, find } = program
  const clicks: Click[] = []
  for (let n = 0; n < loads; n += 1)
    clicks.push(...(await clickThrough(browser, { home: `${origin}/dashboard/${slug}/home`, find, cookies })))
  const times = clicks.map(({ ms }) => ms).sort((a, b) => a - b)
  const at = (share: number) => (times[Math.floor(times.length * share)] as number).toFixed(0)
  console.log(`  ${slug}: ${times.length} clicks, p50 ${at(0.5)} ms, p95 ${at(0.95)} ms (goal ${program.goalMs})`)
  const slowest = [...new Set(clicks.map(({ what }) => what))]
    .map((what) => ({ what, ms: median(clicks.filter((click) => click.what === what).map(({ ms }) => ms)) }))
    .sort((a, b) => b.ms - a.ms)
  for (const { what, ms } of slowest.slice(0, 8)) console.log(`    ${ms.toFixed(0).padStart(5)} ms  ${what}`)
}

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
