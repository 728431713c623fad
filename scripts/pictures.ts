import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, chromium, type Page } from 'playwright-core'

// Takes the pictures of the README in docs/images: `npx tsx scripts/pictures.ts`. It builds the service, starts it on a
// temporary data directory with the demo program, and needs Chromium in /usr/bin.

const folder = 'docs/images'

async function takePictures(): Promise<void> {
  execFileSync(process.execPath, ['scripts/build.mjs'], { stdio: 'inherit' })
  mkdirSync(folder, { recursive: true })
  const dataDir = mkdtempSync(join(tmpdir(), 'tributary-pictures-'))
  const port = await freePort()
  const server = spawn(process.execPath, ['dist/main.js'], {
    env: { PATH: process.env.PATH, DATA_DIR: dataDir, PORT: String(port), LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let browser: Browser | undefined
  try {
    const { key, setUpLink } = await printedBy(server)
    const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync)
    browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
    const context = await browser.newContext({
      viewport: { width: 1280, height: 800 },
      locale: 'en-US',
      timezoneId: 'UTC',
      reducedMotion: 'reduce',
    })
    await takeGraphiqlPicture(await context.newPage(), `http://127.0.0.1:${port}`, key)
    await takePortalPicture(await context.newPage(), `http://127.0.0.1:${port}`, key)
    await takeDashboardPicture(await context.newPage(), setUpLink)
  } finally {
    await browser?.close()
    const exited = new Promise((resolve) => server.once('exit', resolve))
    if (server.kill()) await exited
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function takeGraphiqlPicture(page: Page, origin: string, key: string): Promise<void> {
  await page.goto(`${origin}/graphql`)
  await page.waitForSelector('.graphiql-query-editor .view-lines')
  await page.getByLabel('Key', { exact: true }).fill(key)
  await page.getByRole('button', { name: 'Use key' }).click()
  await page.getByText('Connected.').waitFor()
  await page.getByRole('button', { name: 'Top ten affiliates this quarter' }).click()
  await page.waitForSelector('.canvas canvas')
  await page.locator('.graphiql-tab', { hasText: 'TopTenAffiliates' }).waitFor()
  await page.screenshot({ path: `${folder}/graphiql.png` })
}

async function takePortalPicture(page: Page, origin: string, key: string): Promise<void> {
  await page.goto(await signInLink(origin, key))
  await page.locator('.chart svg').waitFor()
  await page.getByRole('button', { name: /^Earnings/ }).click()
  await page.getByLabel('Range').selectOption('90 days')
  await page.locator('.chart .bar').first().waitFor()
  await page.locator('[aria-busy="true"]').waitFor({ state: 'detached' })
  await page.screenshot({ path: `${folder}/portal.png`, fullPage: true })
}

/** Home, after the first operator has set up an account. */
async function takeDashboardPicture(page: Page, setUpLink: string): Promise<void> {
  await page.goto(setUpLink)
  await page.getByLabel('Name').fill('Grace Hopper')
  await page.getByLabel('E-mail').fill('grace@example.com')
  await page.getByLabel('Password').fill('four random words more')
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.locator('.chart svg').waitFor()
  await page.mouse.move(0, 0)
  await page.locator('.skeleton').first().waitFor({ state: 'detached' })
  await page.screenshot({ path: `${folder}/dashboard.png` })
}

/** Returns a sign-in link for the affiliate with the most conversions. */
async function signInLink(origin: string, key: string): Promise<string> {
  const request = async (path: string, body?: object) => {
    const response = await fetch(origin + path, {
      method: body ? 'POST' : 'GET',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      body: body && JSON.stringify(body),
    })
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
    return response.json()
  }
  const query = `{
    analytics(range: { preset: LAST_90_DAYS }) {
      top(by: CONVERSIONS, dimension: AFFILIATE, limit: 1) { affiliate { id } }
    }
  }`
  type TopAffiliate = { data: { analytics: { top: [{ affiliate: { id: string } }] } } }
  const { data } = (await request('/graphql', { query })) as TopAffiliate
  const { id } = data.analytics.top[0].affiliate
  const { sso } = (await request(`/v1/affiliates/${id}/sso`)) as { sso: { url: string } }
  return sso.url
}

/** The first start on an empty data directory prints the demo program's API key, and the set-up link of the dashboard. */
function printedBy(server: ChildProcess): Promise<{ key: string; setUpLink: string }> {
  let output = ''
  return new Promise((resolve, reject) => {
    server.stdout?.on('data', (chunk) => {
      output += chunk
      const [key] = /trib_sk_\w+(?=\W)/.exec(output) ?? []
      const [setUpLink] = /http\S+\/dashboard\/setup#token=[\w-]+(?=\s)/.exec(output) ?? []
      if (key && setUpLink) resolve({ key, setUpLink })
    })
    server.once('exit', (code) => reject(new Error(`The server stopped with code ${code}: ${output}`)))
  })
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}

await takePictures()
