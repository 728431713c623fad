import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import axe from 'axe-core'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { afterAll } from 'vitest'
import type { App } from '../../src/server/app.ts'

// The headless shell has no windows and extensions of its own, and takes half of the CPU.
const executablePath = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome']
  .map((name) => `/usr/bin/${name}`)
  .find(existsSync)
export const hasChromium = executablePath !== undefined
export const needsChromium = 'needs Chromium in /usr/bin: .ci/run installs it'

let started: Promise<Browser> | undefined

/** The Chromium of this worker, which the files share. It resolves no host but localhost, so pages load nothing from elsewhere. */
export function sharedChromium(): Promise<Browser> {
  started ??= launchChromium()
  return started
}

/** Starts Chromium without background requests. */
export const launchChromium = (): Promise<Browser> =>
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
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1',
    ],
  })

/** The screens on which views are checked: both widths and both color schemes. */
export const screens = [
  [1280, 'light'],
  [360, 'dark'],
] as const

/** Waits until nothing is loading or moving: half-transparent text has too little contrast. */
async function atRest(page: Page): Promise<void> {
  await page.waitForFunction(
    () =>
      !document.querySelector('[aria-busy="true"]') &&
      document.getAnimations().every(({ playState }) => playState === 'finished' || playState === 'idle'),
  )
}

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
  await atRest(page)
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

/** Serves websites to Chromium. `service` is the service, all other hosts are the test's sites. */
export async function createWeb(app: App, sites: Sites): Promise<Web> {
  const serviceHost = 'track.service.test'
  // The server is the proxy of the browser, so it gets the requests to every host.
  const server = createServer((request, response) => {
    const { hostname, pathname, search } = new URL(request.url ?? '/', 'http://x')
    if (hostname === serviceHost) {
      request.url = pathname + search
      return app.handle(request, response)
    }
    const html = sites[hostname + pathname] ?? sites[hostname]
    response.writeHead(html === undefined ? 404 : 200, { 'Content-Type': 'text/html; charset=utf-8' })
    response.end(html ?? '')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const browser = await sharedChromium()
  const contexts: BrowserContext[] = []
  afterAll(async () => {
    await Promise.all(contexts.map((context) => context.close()))
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return {
    service: `http://${serviceHost}`,
    at: (host, path = '/') => `http://${host}${path}`,
    async visitor() {
      const context = await browser.newContext({ proxy: { server: `http://127.0.0.1:${port}`, bypass: '<-loopback>' } })
      contexts.push(context)
      context.setDefaultTimeout(30_000)
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
