import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import axe from 'axe-core'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { afterAll } from 'vitest'
import type { App } from '../../src/server/app.ts'

const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync)
export const hasChromium = executablePath !== undefined
export const needsChromium = 'needs Chromium in /usr/bin: .ci/run installs it'

/** Starts Chromium without background requests. */
export const launchChromium = (resolverRules: string): Promise<Browser> =>
  chromium.launch({
    executablePath: executablePath as string,
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      `--host-resolver-rules=${resolverRules}`,
    ],
  })

/** The widths and color schemes in which pages are tested. */
export const screens = [
  [1280, 'light'],
  [1280, 'dark'],
  [360, 'light'],
  [360, 'dark'],
] as const

/**
 * Returns the accessibility problems that axe-core finds in a page.
 *
 * @param include the selectors of the parts to check; by default the whole page
 * @param impacts the impacts of the problems to return; by default all
 */
export async function axeProblems(
  page: Page,
  { include, impacts }: { include?: string[]; impacts?: string[] } = {},
): Promise<string[]> {
  await page.evaluate(axe.source)
  return page.evaluate(
    async ([parts, levels]) => {
      const { violations } = await (window as any).axe.run(parts ? { include: parts } : undefined)
      return violations
        .filter(({ impact }: any) => !levels || levels.includes(impact))
        .map(({ id, nodes }: any) => `${id}: ${nodes.map(({ html }: any) => html).join(' ')}`)
    },
    [include, impacts] as const,
  )
}

/** The HTML of the test's websites by host and path. */
export type Sites = Record<string, string>

export type Web = {
  /** The origin of the service, from which pages load the script. */
  service: string
  /** Returns a URL on one of the sites. */
  at(host: string, path?: string): string
  /** Opens a browser context without cookies. */
  visitor(): Promise<BrowserContext & { open(address: string): Promise<Page> }>
}

/**
 * Starts a Chromium that resolves every host to this machine. `service` is the service, all other hosts are the test's
 * sites.
 */
export async function createWeb(app: App, sites: Sites): Promise<Web> {
  const serviceHost = 'track.service.test'
  const server = createServer((request, response) => {
    const host = (request.headers.host ?? '').replace(/:\d+$/, '')
    if (host === serviceHost) return app.handle(request, response)
    const { pathname } = new URL(request.url ?? '/', 'http://x')
    const html = sites[host + pathname] ?? sites[host]
    response.writeHead(html === undefined ? 404 : 200, { 'Content-Type': 'text/html; charset=utf-8' })
    response.end(html ?? '')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const browser = await launchChromium(`MAP * 127.0.0.1:${port}`)
  afterAll(async () => {
    await browser.close()
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return {
    service: `http://${serviceHost}`,
    at: (host, path = '/') => `http://${host}${path}`,
    async visitor() {
      const context = await browser.newContext()
      context.setDefaultTimeout(10_000)
      return Object.assign(context, {
        async open(address: string) {
          const page = await context.newPage()
          await page.goto(address)
          return page
        },
      })
    },
  }
}
