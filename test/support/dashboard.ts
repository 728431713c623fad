import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { BrowserContext, BrowserContextOptions, ConsoleMessage, Page } from 'playwright-core'
import { afterAll, afterEach, expect } from 'vitest'
import { createTestApp } from './app.ts'
import { axeProblems, sharedChromium } from './browser.ts'
import { password, setUpOperator, type TestBrowser } from './people.ts'

/** `as` is who is signed in. */
type Visit = BrowserContextOptions & { as?: TestBrowser }

/**
 * Serves the dashboard to Chromium, with Olga as the operator. After each test its windows are closed, and nothing may
 * have been an error in one of them.
 */
export async function startDashboard(settings: Parameters<typeof createTestApp>[0] = {}) {
  let handle: RequestListener | undefined
  const server = createServer((request, response) => handle?.(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`
  const test = await createTestApp({ ...settings, origin })
  handle = test.app.handle
  const browser = await sharedChromium()
  afterAll(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })

  const contexts: BrowserContext[] = []
  const errors: string[] = []
  afterEach(async () => {
    await Promise.all(contexts.splice(0).map((context) => context.close()))
    expect(errors.splice(0)).toEqual([])
  })

  /** Opens an address in a new browser. @param address a path below /dashboard, or a whole address */
  async function visit(address: string, { as, ...options }: Visit = {}) {
    const context = await browser.newContext({
      permissions: ['clipboard-read', 'clipboard-write'],
      locale: 'en-US',
      timezoneId: 'Europe/Berlin',
      reducedMotion: 'reduce',
      ...options,
    })
    contexts.push(context)
    context.setDefaultTimeout(30_000)
    context.on('weberror', (error) => errors.push(error.error().message))
    context.on('console', (message) => {
      const isOurs = message.page()?.url().startsWith(origin)
      if (isOurs && isError(message)) errors.push(message.text())
    })
    await context.addCookies([...(as?.cookies ?? [])].map(([name, value]) => ({ name, value, url: origin })))
    const page = await context.newPage()
    const go = (to: string) => page.goto(to.startsWith('http') ? to : `${origin}/dashboard${to}`)
    await go(address)
    return { context, page, go }
  }
  return { test, origin, olga: await setUpOperator(test), visit }
}

/** Chromium reports each 4xx as an error. A rejected request is expected; a missing file is not. */
function isError(message: ConsoleMessage): boolean {
  if (message.type() !== 'error') return false
  const isRejected = /^Failed to load resource: the server responded with a status of 4\d\d/.test(message.text())
  return !isRejected || /\.\w+$/.test(message.location().url.replace(/[?#].*/, ''))
}

/** Waits for a view until its data is there: what loads moves the buttons below, also while one is pressed. */
export async function heading(page: Page, name: string): Promise<void> {
  await page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
  await page.waitForFunction(() => !document.querySelector('.skeleton'))
}

export const click = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

export const clipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText())

/** The list behind a dialog has no roles until the dialog is closed. */
export const closed = (page: Page) => page.locator('.dialog').waitFor({ state: 'detached' })

/** The accessibility problems of the open dialog, or of the view. The frame around it is tested with the dashboard itself. */
export const problemsOf = async (page: Page) => {
  const isDialogOpen = (await page.locator('.dialog').count()) > 0
  return axeProblems(page, { include: [isDialogOpen ? '.dialog' : 'main'] })
}

export async function signIn(page: Page, email: string, secret = password) {
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password').fill(secret)
  await click(page, 'Sign in')
}
