import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, describe, expect, it } from 'vitest'
import { createTestApp } from '../support/app.ts'
import { axeProblems, hasChromium, launchChromium, needsChromium, screens } from '../support/browser.ts'

const money = (formatted: string) => ({ formatted })

/** What the service would answer to the ready queries that are tried here, so that what is seen does not hang on data. */
const answers: Record<string, object> = {
  SalesByDay: {
    points: [
      { label: '2026-03-08', sales: money('30.00 USD'), yearBefore: money('12.00 USD') },
      { label: '2026-03-09', sales: money('9.00 USD'), yearBefore: money('20.00 USD') },
      { label: '2026-03-10', sales: money('100.50 USD'), yearBefore: null },
    ],
  },
  TopTenAffiliates: {
    top: [
      { rank: 1, label: '=Ada', sales: money('100.00 USD'), affiliate: { email: 'ada@example.com' } },
      { rank: 2, label: 'Bob', sales: money('-9.50 USD'), affiliate: null },
      { rank: 3, label: 'Cy "C"', sales: money('20.00 USD'), affiliate: { email: 'cy@example.com' } },
    ],
  },
}

describe.skipIf(!hasChromium)('the page at /graphql', async () => {
  if (!hasChromium) return it(needsChromium, () => {})
  const app = await createTestApp()
  const { secret } = await app.createProgram()
  const server = createServer(app.app.handle)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`
  // No other machine is to be found: the page has to do with what the service has.
  const browser = await launchChromium('MAP * ~NOTFOUND, EXCLUDE localhost')
  afterAll(async () => {
    await browser.close()
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })

  /** Somebody new, with what their page asked for and complained of. */
  async function visit(address = '/graphql', options: BrowserContextOptions = {}) {
    const context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'], ...options })
    context.setDefaultTimeout(30_000)
    const page = await context.newPage()
    const asked: string[] = []
    const complaints: string[] = []
    page.on('request', (request) => asked.push(`${request.method()} ${request.url()}`))
    page.on('pageerror', (error) => complaints.push(error.message))
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
    await page.route('**/graphql', (route) => {
      const answer = route.request().method() === 'POST' && answers[route.request().postDataJSON().operationName]
      return answer ? route.fulfill({ json: { data: { analytics: answer } } }) : route.fallback()
    })
    await page.goto(new URL(address, origin).href)
    await page.waitForSelector('.graphiql-query-editor .view-lines')
    return { context, page, asked, complaints }
  }

  async function enterKey(page: Page, key = secret) {
    await page.getByLabel('Key', { exact: true }).fill(key)
    await page.getByRole('button', { name: 'Use key' }).click()
  }
  const connected = (page: Page) => page.getByText('Connected.').waitFor()
  const openReady = (page: Page, title: string) => page.getByRole('button', { name: title }).click()
  async function cells(page: Page, column: number) {
    const found = page.locator(`.table-view tbody td:nth-child(${column})`)
    await found.first().waitFor()
    return found.allTextContents()
  }
  const clipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText())
  const editorText = async (page: Page, editor = '.graphiql-query-editor') =>
    (await page.locator(`${editor} .view-line`).allTextContents()).join('\n').replaceAll('\u00a0', ' ')

  async function download(page: Page, name: string) {
    const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name }).click()])
    return { name: file.suggestedFilename(), text: await readFile(await file.path(), 'utf8') }
  }

  async function runQuery(page: Page, query: string) {
    await page.locator('.graphiql-query-editor .view-lines').click()
    await page.keyboard.press('ControlOrMeta+A')
    await page.keyboard.insertText(query)
    await page.keyboard.press('ControlOrMeta+Enter')
  }

  it('without a key asks for one, and the service for nothing', async () => {
    const { context, page, asked, complaints } = await visit()
    await page.getByText('No key yet.').waitFor()
    await page.getByRole('button', { name: /^Execute query/ }).click()
    await page.getByText('Enter a key above.', { exact: false }).first().waitFor()
    expect(asked.filter((one) => one.startsWith('POST'))).toEqual([])
    expect(complaints).toEqual([])
    await context.close()
  })

  it('says that a key is wrong, and takes the next one', async () => {
    const { context, page } = await visit()
    await enterKey(page, 'trib_sk_wrong')
    await page.getByText('This key is not known here, or it was revoked.').waitFor()
    await enterKey(page)
    await connected(page)
    await page.getByRole('button', { name: 'Forget' }).click()
    await page.getByText('No key yet.').waitFor()
    expect(await page.evaluate(() => sessionStorage.length)).toBe(0)
    await context.close()
  })

  it('with a key it knows the schema, and runs a query; all without asking any other origin', async () => {
    const { context, page, asked, complaints } = await visit()
    await enterKey(page)
    await connected(page)
    await runQuery(page, '# view: table\nquery Fields { __type(name: "Affiliate") { fields { name isDeprecated } } }')
    await page.locator('.table-view caption', { hasText: '__type.fields' }).waitFor()
    expect(await cells(page, 1)).toContain('email')
    await page.getByRole('button', { name: 'Show Documentation Explorer' }).click()
    await page.locator('.graphiql-plugin').getByText('Query', { exact: true }).first().waitFor()
    expect(asked.filter((one) => !one.includes(` ${origin}/`) && !one.includes(' data:'))).toEqual([])
    expect(complaints).toEqual([])
    await context.close()
  })

  it('the key is in the session storage, and nowhere else', async () => {
    const { context, page, asked } = await visit()
    await enterKey(page)
    await connected(page)
    await openReady(page, 'Top ten affiliates this quarter')
    await page.waitForSelector('.canvas canvas')
    // A key that is typed into a query is not kept with it.
    await runQuery(page, `{ program { id } } # ${secret}`)
    await page.getByRole('button', { name: 'Copy link' }).click()
    await page.getByText('Links must not carry keys', { exact: false }).waitFor()
    // GraphiQL writes down what it keeps half a second later.
    await page.waitForTimeout(1_000)
    const kept = await page.evaluate(() => [
      JSON.stringify(localStorage),
      JSON.stringify(sessionStorage),
      document.cookie,
    ])
    expect(kept[0]).toContain('TopTenAffiliates')
    expect(kept[0]).not.toContain(secret)
    expect(kept[1]).toContain(secret)
    expect([page.url(), kept[2], ...asked].filter((text) => text?.includes(secret))).toEqual([])
    expect(await page.getByLabel('Key', { exact: true }).getAttribute('type')).toBe('password')
    await page.reload()
    await connected(page)
    const other = await context.newPage()
    await other.goto(`${origin}/graphql`)
    await other.getByText('No key yet.').waitFor()
    await context.close()
  })

  it('a table is sorted by value, copied and saved', async () => {
    const { context, page } = await visit()
    await enterKey(page)
    await connected(page)
    await openReady(page, 'Top ten affiliates this quarter')
    await page.getByRole('tab', { name: 'Table' }).click()
    expect(await cells(page, 3)).toEqual(['100.00 USD', '-9.50 USD', '20.00 USD'])
    const sort = page.getByRole('columnheader', { name: 'sales' })
    await sort.getByRole('button').click()
    expect(await cells(page, 3)).toEqual(['-9.50 USD', '20.00 USD', '100.00 USD'])
    expect(await sort.getAttribute('aria-sort')).toBe('ascending')
    await sort.getByRole('button').click()
    expect(await cells(page, 3)).toEqual(['100.00 USD', '20.00 USD', '-9.50 USD'])
    await page.getByRole('button', { name: 'Copy table' }).click()
    await page.getByText('3 rows copied', { exact: false }).waitFor()
    expect((await clipboard(page)).split('\n').slice(0, 2)).toEqual([
      'rank\tlabel\tsales\tsales.currency\taffiliate.email\taffiliate',
      "1\t'=Ada\t100.00\tusd\tada@example.com\t",
    ])
    const csv = await download(page, 'Download as CSV')
    expect(csv.name).toMatch(/^analytics\.top-\d{4}-\d\d-\d\d\.csv$/)
    expect(csv.text.split('\r\n')).toEqual([
      'rank,label,sales,sales.currency,affiliate.email,affiliate',
      "1,'=Ada,100.00,usd,ada@example.com,",
      '3,"Cy ""C""",20.00,usd,cy@example.com,',
      '2,Bob,-9.50,usd,,',
      '',
    ])
    expect(JSON.parse((await download(page, 'Download as JSON')).text)).toEqual({
      data: { analytics: answers.TopTenAffiliates },
    })
    await context.close()
  })

  it('where the page has no clipboard of its own, copying works the older way', async () => {
    const { context, page } = await visit()
    await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }))
    await page.getByRole('button', { name: 'Copy link' }).click()
    await page.getByText('Link copied.', { exact: false }).waitFor()
    await context.close()
  })

  it('a time series is drawn, and told in words; its rows are a click away', async () => {
    const { context, page } = await visit()
    await enterKey(page)
    await connected(page)
    await openReady(page, 'Sales by day, against the year before')
    const chart = page.getByRole('img', { name: /^Line chart with 3 points/ })
    await chart.waitFor()
    expect(await chart.getAttribute('aria-label')).toContain('sales: lowest 9 USD (2026-03-09), highest 100.5 USD')
    expect(await colorsIn(page)).toBeGreaterThan(20)
    await page.getByRole('checkbox', { name: 'yearBefore' }).uncheck()
    expect(await chart.getAttribute('aria-label')).not.toContain('yearBefore')
    await page.getByRole('button', { name: 'Show these rows as a table' }).click()
    expect(await cells(page, 3)).toEqual(['12.00 USD', '20.00 USD', '–'])
    await context.close()
  })

  it('a link brings query and variables to somebody else, who has no key; nothing is run', async () => {
    const { context, page } = await visit()
    await enterKey(page)
    await connected(page)
    await openReady(page, 'Sales by day, against the year before')
    await page.waitForSelector('.canvas canvas')
    await page.getByRole('button', { name: 'Copy link' }).click()
    await page.getByText('Link copied.', { exact: false }).waitFor()
    const link = await clipboard(page)
    expect(link).toMatch(/^http:\/\/localhost:\d+\/graphql#query=[\w-]+$/)
    await context.close()

    const other = await visit(link)
    await expect.poll(() => editorText(other.page)).toContain('query SalesByDay(')
    await expect.poll(() => editorText(other.page, '.graphiql-editor-tool')).toContain('LAST_30_DAYS')
    expect(other.page.url()).toBe(`${origin}/graphql`)
    await other.page.getByText('No key yet.').waitFor()
    await enterKey(other.page)
    await connected(other.page)
    expect(other.asked.filter((one) => one.startsWith('POST'))).toHaveLength(1)
    // Following one while the page is open opens a tab.
    await other.page.evaluate((hash) => location.assign(hash), new URL(link).hash)
    await expect.poll(() => other.page.locator('.graphiql-tab').count()).toBe(2)
    await other.context.close()
  })

  it.each(['light', 'dark'] as const)('in a %s scheme it is; its own setting goes before', async (colorScheme) => {
    const { context, page } = await visit('/graphql', { colorScheme })
    const isDark = () =>
      page.evaluate(() => {
        const [red = 255] = getComputedStyle(document.body).backgroundColor.match(/\d+/g)?.map(Number) ?? []
        return red < 100
      })
    expect(await isDark()).toBe(colorScheme === 'dark')
    await page.getByRole('button', { name: 'Open settings dialog' }).click()
    const other = colorScheme === 'dark' ? 'Light' : 'Dark'
    await page.getByRole('button', { name: other, exact: true }).click()
    expect(await isDark()).toBe(colorScheme !== 'dark')
    await context.close()
  })

  it('with the keyboard alone: key, ready query, chart, table, sorting, and out of the editor again', async () => {
    const { context, page } = await visit()
    const press = (key: string) => page.keyboard.press(key)
    const focused = () =>
      page.evaluate(() => {
        const element = document.activeElement as HTMLElement
        return element.getAttribute('aria-label') ?? element.textContent?.trim() ?? ''
      })
    const tabTo = async (name: string | RegExp, most = 60) => {
      for (let presses = 0; presses < most; presses++) {
        await press('Tab')
        const at = await focused()
        if (typeof name === 'string' ? at === name : name.test(at)) return
      }
      throw new Error(`Tab did not lead to ${name}`)
    }
    await press('Tab')
    expect(await focused()).toBe('Skip to the query')
    await press('Tab')
    await press('Tab')
    await page.keyboard.type(secret)
    await press('Enter')
    await connected(page)
    await tabTo('Sales by day, against the year before')
    await press('Enter')
    await page.waitForSelector('.canvas canvas')
    await tabTo('Chart')
    await press('ArrowLeft')
    expect(await focused()).toBe('Table')
    await page.waitForSelector('.table-view')
    await tabTo('sales')
    await press('Enter')
    expect(await cells(page, 2)).toEqual(['9.00 USD', '30.00 USD', '100.50 USD'])
    // In the editor Tab goes on, too.
    await page.locator('.graphiql-query-editor textarea').first().focus()
    await press('Tab')
    expect(await page.evaluate(() => document.activeElement?.closest('.monaco-editor'))).toBeNull()
    await context.close()
  })

  it.each(screens)(
    'at %i pixels, %s, it does not scroll sideways, and axe finds nothing serious',
    async (width, colorScheme) => {
      const { context, page } = await visit('/graphql', { viewport: { width, height: 800 }, colorScheme })
      await enterKey(page)
      await connected(page)
      await openReady(page, 'Top ten affiliates this quarter')
      await page.waitForSelector('.canvas canvas')
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
      const problems = [await seriousProblems(page)]
      await page.getByRole('tab', { name: 'Table' }).click()
      problems.push(await seriousProblems(page))
      expect(problems.flat()).toEqual([])
      await context.close()
    },
  )
})

/** How many colours a chart has: an empty one has none. */
const colorsIn = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const canvas = document.querySelector('.canvas canvas') as HTMLCanvasElement
    const { data } = (canvas.getContext('2d') as CanvasRenderingContext2D).getImageData(
      0,
      0,
      canvas.width,
      canvas.height,
    )
    return new Set(new Uint32Array(data.buffer)).size
  })

/** What axe-core holds against the parts that are ours; Monaco's and GraphiQL's own are not ours to mend. */
const seriousProblems = (page: Page) =>
  axeProblems(page, {
    include: ['.bar', '.ready', '.results', '.skip', '.notice'],
    impacts: ['serious', 'critical'],
  })
