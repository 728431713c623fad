import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, describe, expect, it } from 'vitest'
import { createSetUpToken } from '../../src/modules/people/set-up.ts'
import { writeLink } from '../../src/pages/parts/query-link.ts'
import { adminToken, createTestApp } from '../support/app.ts'
import { axeProblems, hasChromium, needsChromium, screens, sharedChromium } from '../support/browser.ts'

const money = (formatted: string) => ({ formatted })

/** The results of the ready queries that the tests open, so that they do not depend on data. */
const results: Record<string, object> = {
  SalesByDay: {
    points: [
      { label: '2026-03-08', sales: money('30.00 USD'), yearBefore: money('12.00 USD') },
      { label: '2026-03-09', sales: money('9.00 USD'), yearBefore: money('20.00 USD') },
      { label: '2026-03-10', sales: money('100.50 USD'), yearBefore: null },
    ],
  },
  NewCustomersByCohort: {
    cohorts: [
      {
        month: '2026-01',
        customers: 20,
        salesAmount: money('1234.50 USD'),
        periods: Array.from({ length: 12 }, (_, index) => ({
          index,
          activeCustomers: 20,
          retention: 1 / (index + 1),
          salesAmount: money('5.00 USD'),
        })),
      },
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
  const { secret, id, slug } = await app.createProgram()
  const server = createServer(app.app.handle)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`
  const browser = await sharedChromium()
  afterAll(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })

  /** Opens the page in a new browser context. Records requests and console errors. */
  async function visit(address = '/graphql', options: BrowserContextOptions = {}) {
    const context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'], ...options })
    context.setDefaultTimeout(30_000)
    const page = await context.newPage()
    const requests: string[] = []
    const errors: string[] = []
    page.on('request', (request) => requests.push(`${request.method()} ${request.url()}`))
    page.on('pageerror', (error) => errors.push(error.message))
    page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
    await page.route('**/graphql', (route) => {
      const result = route.request().method() === 'POST' && results[route.request().postDataJSON().operationName]
      return result ? route.fulfill({ json: { data: { analytics: result } } }) : route.fallback()
    })
    await page.goto(new URL(address, origin).href)
    await page.waitForSelector('.graphiql-query-editor .view-lines')
    return { context, page, requests, errors }
  }

  async function enterKey(page: Page, key = secret) {
    await page.getByLabel('Key', { exact: true }).fill(key)
    await page.getByRole('button', { name: 'Use key' }).click()
  }
  const connected = (page: Page) => page.getByText(/^Connected to /).waitFor()
  async function openReadyQuery(page: Page, title: string) {
    const unfold = page.getByRole('button', { name: 'Show Queries' })
    if (await unfold.isVisible()) await unfold.click()
    await page.getByRole('button', { name: title }).click()
  }
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

  it('asks for a key and sends no request without one', async () => {
    const { context, page, requests, errors } = await visit()
    await page.getByText('No key yet.').waitFor()
    await page.getByRole('button', { name: /^Execute query/ }).click()
    await page.getByText('Enter a key above.', { exact: false }).first().waitFor()
    expect(requests.filter((request) => request.startsWith('POST'))).toEqual([])
    expect(errors).toEqual([])
    await context.close()
  })

  it('rejects an invalid key and accepts the next one', async () => {
    const { context, page } = await visit()
    await enterKey(page, 'trib_sk_wrong')
    await page.getByText('This key is invalid or was revoked.').waitFor()
    await enterKey(page)
    await connected(page)
    await page.getByRole('button', { name: 'Forget' }).click()
    await page.getByText('No key yet.').waitFor()
    expect(await page.evaluate(() => sessionStorage.length)).toBe(0)
    await context.close()
  })

  it('loads the schema and runs a query with a key, without requests to other origins', async () => {
    const { context, page, requests, errors } = await visit()
    await enterKey(page)
    await connected(page)
    await runQuery(page, '# view: table\nquery Fields { __type(name: "Affiliate") { fields { name isDeprecated } } }')
    await page.locator('.table-view caption', { hasText: '__type.fields' }).waitFor()
    expect(await cells(page, 1)).toContain('email')
    await page.getByRole('button', { name: 'Show Documentation Explorer' }).click()
    await page.locator('.graphiql-plugin').getByText('Query', { exact: true }).first().waitFor()
    expect(requests.filter((request) => !request.includes(` ${origin}/`) && !request.includes(' data:'))).toEqual([])
    expect(errors).toEqual([])
    await context.close()
  })

  it('keeps the key in the session storage only', async () => {
    const { context, page, requests } = await visit()
    await enterKey(page)
    await connected(page)
    await openReadyQuery(page, 'Top ten affiliates this quarter')
    await page.waitForSelector('.chart-view svg')
    // A query that contains the key is not stored.
    await runQuery(page, `{ program { id } } # ${secret}`)
    await page.getByRole('button', { name: 'Copy link' }).click()
    await page.getByText('Links must not contain keys', { exact: false }).waitFor()
    // GraphiQL writes to its storage after half a second.
    await page.waitForTimeout(1_000)
    const stored = await page.evaluate(() => [
      JSON.stringify(localStorage),
      JSON.stringify(sessionStorage),
      document.cookie,
    ])
    expect(stored[0]).toContain('TopTenAffiliates')
    expect(stored[0]).not.toContain(secret)
    expect(stored[1]).toContain(secret)
    expect([page.url(), stored[2], ...requests].filter((text) => text?.includes(secret))).toEqual([])
    expect(await page.getByLabel('Key', { exact: true }).getAttribute('type')).toBe('password')
    await page.reload()
    await connected(page)
    const other = await context.newPage()
    await other.goto(`${origin}/graphql`)
    await other.getByText('No key yet.').waitFor()
    await context.close()
  })

  it('sorts a table by value, copies it and saves it', async () => {
    const { context, page } = await visit()
    await enterKey(page)
    await connected(page)
    await openReadyQuery(page, 'Top ten affiliates this quarter')
    await page.getByRole('tab', { name: 'Table' }).click()
    expect(await cells(page, 3)).toEqual(['$100.00', '-$9.50', '$20.00'])
    const sort = page.getByRole('columnheader', { name: 'sales' })
    await sort.getByRole('button').click()
    expect(await cells(page, 3)).toEqual(['-$9.50', '$20.00', '$100.00'])
    expect(await sort.getAttribute('aria-sort')).toBe('ascending')
    await sort.getByRole('button').click()
    expect(await cells(page, 3)).toEqual(['$100.00', '$20.00', '-$9.50'])
    await page.getByRole('button', { name: 'Copy table' }).click()
    await page.getByText('3 rows copied', { exact: false }).waitFor()
    expect((await clipboard(page)).split('\n').slice(0, 2)).toEqual([
      'rank\tlabel\tsales\tsales.currency\taffiliate.email',
      "1\t'=Ada\t100.00\tusd\tada@example.com",
    ])
    const csv = await download(page, 'Download as CSV')
    expect(csv.name).toMatch(/^analytics\.top-\d{4}-\d\d-\d\d\.csv$/)
    expect(csv.text.split('\r\n')).toEqual([
      'rank,label,sales,sales.currency,affiliate.email',
      "1,'=Ada,100.00,usd,ada@example.com",
      '3,"Cy ""C""",20.00,usd,cy@example.com',
      '2,Bob,-9.50,usd,',
      '',
    ])
    expect(JSON.parse((await download(page, 'Download as JSON')).text)).toEqual({
      data: { analytics: results.TopTenAffiliates },
    })
    await context.close()
  })

  it('removes the error of a wrong key when the right key is used', async () => {
    const { context, page } = await visit()
    await page.getByRole('tab', { name: 'JSON' }).click()
    await enterKey(page, 'trib_sk_wrong')
    await page.getByText('This key is invalid or was revoked.').waitFor()
    await runQuery(page, '{ program { name } }')
    await expect.poll(() => editorText(page, '.result-window')).toContain('UNAUTHENTICATED')
    await enterKey(page)
    await connected(page)
    await expect.poll(() => editorText(page, '.result-window')).not.toContain('UNAUTHENTICATED')
    await context.close()
  })

  it('asks an operator for a program, and connects with one', async () => {
    const { context, page } = await visit()
    await enterKey(page, adminToken)
    await page.getByText('Choose a program').waitFor()
    expect(await page.getByText(/^Connected/).count()).toBe(0)
    expect(await page.locator('datalist option').evaluateAll((all) => all.map((one) => (one as any).value))).toContain(
      id,
    )
    await page.getByLabel('Program id').fill(id)
    await page.getByRole('button', { name: 'Use key' }).click()
    await connected(page)
    await context.close()
  })

  it('a link of the dashboard opens it signed in as the person, without a key', async () => {
    const { context, page } = await visit()
    const token = await createSetUpToken(app.database.db, app.clock.now)
    const account = { token, name: 'Olga', email: 'olga@example.com', password: 'four random words here' }
    await page.evaluate(async (body) => {
      const headers = { 'Content-Type': 'application/json' }
      await fetch('/dashboard/setup', { method: 'POST', headers, body: JSON.stringify(body) })
    }, account)
    await page.goto(`${origin}/graphql?program=${slug}`)
    await page.getByText(/^Signed in to .+ as Olga\.$/).waitFor()
    expect(page.url()).not.toContain('program=')
    const [response] = await Promise.all([
      page.waitForResponse((one) => one.request().postData()?.includes('query Me ') ?? false),
      runQuery(page, 'query Me { viewer { role } program { slug } }'),
    ])
    expect(await response.json()).toMatchObject({ data: { viewer: { role: 'OWNER' }, program: { slug } } })
    // What is saved is listed with its author, and can be opened and deleted.
    await page.getByLabel('Name of the query in the editor').fill('Who I am')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('button', { name: 'Who I am by Olga' }).click()
    await expect.poll(() => page.locator('.graphiql-tab').count()).toBe(2)
    await expect.poll(() => editorText(page)).toContain('query Me ')
    await page.getByRole('button', { name: 'Show Queries' }).click()
    page.once('dialog', (dialog) => dialog.accept())
    await page.getByRole('button', { name: 'Delete Who I am' }).click()
    await page.getByText('"Who I am" deleted.').waitFor()
    expect(await page.locator('.saved').count()).toBe(0)
    await page.getByRole('button', { name: 'Forget' }).click()
    await page.getByText('No key yet.').waitFor()
    await context.close()
  })

  it('says that a table is a page, and reads all rows on demand', async () => {
    const program = await app.createProgram()
    const input = Array.from({ length: 100 }, (_, index) => ({ email: `a${index}@example.com` }))
    for (const affiliates of [input, input.slice(0, 30).map(({ email }) => ({ email: `b${email}` }))])
      await program.graphql(
        'mutation ($affiliates: [CreateAffiliateInput!]!) { createAffiliates(input: { affiliates: $affiliates }) { affiliates { id } } }',
        { affiliates },
      )
    const { context, page } = await visit()
    await enterKey(page, program.secret)
    await connected(page)
    await runQuery(page, '# view: table\nquery Page { affiliates(first: 50) { nodes { email } } }')
    const note = page.locator('.page-note')
    await note.getByText('50 of 130 rows.').waitFor()
    await page.getByRole('button', { name: 'Copy table' }).click()
    await page.getByText('50 of 130 rows copied.', { exact: false }).waitFor()
    await page.getByRole('button', { name: 'All rows' }).click()
    await page.locator('.table-view caption', { hasText: 'affiliates: 130 rows' }).waitFor()
    expect(await note.count()).toBe(0)
    const csv = await download(page, 'Download as CSV')
    expect(new Set(csv.text.trim().split('\r\n').slice(1)).size).toBe(130)
    await context.close()
  })

  it('shows cohorts as a grid that can be maximised, with its first column always visible', async () => {
    const { context, page } = await visit('/graphql', { viewport: { width: 390, height: 800 } })
    await enterKey(page)
    await connected(page)
    await openReadyQuery(page, 'New customers by cohort')
    await page.locator('.table-view tbody td').first().waitFor()
    expect(await page.locator('.table-view tbody tr').first().locator('td').allTextContents()).toEqual([
      '2026-01',
      '20',
      '$1,234.50',
      ...Array.from({ length: 12 }, (_, index) => `${(100 / (index + 1)).toFixed(1)}%`),
    ])
    await page.locator('.table-view').evaluate((view) => view.scrollTo({ left: 400 }))
    const edges = () =>
      page.evaluate(() => {
        const left = (selector: string) => document.querySelector(selector)?.getBoundingClientRect().left
        return [left('.table-view'), left('.table-view tbody td'), left('.table-view thead th')]
      })
    const [view, cell, heading] = await edges()
    expect([cell, heading]).toEqual([view, view])
    await page.getByRole('button', { name: 'Maximise' }).click()
    expect(await page.locator('.graphiql-response').boundingBox()).toEqual({ x: 0, y: 0, width: 390, height: 800 })
    await page.keyboard.press('Escape')
    await page.locator('.graphiql-response[data-maximised]').waitFor({ state: 'detached' })
    await context.close()
  })

  it('on a narrow screen, dialogs fit and a pane begins at its top', async () => {
    const { context, page } = await visit('/graphql', { viewport: { width: 390, height: 800 } })
    await page.locator('.graphiql-query-editor .view-lines').waitFor()
    for (const name of ['Open short keys dialog', 'Open settings dialog']) {
      await page.getByRole('button', { name }).click()
      const overflow = await page.locator('.graphiql-dialog').evaluate((dialog) => {
        const { left, right } = dialog.getBoundingClientRect()
        return [Math.min(left, 0), Math.max(right - innerWidth, 0), dialog.scrollWidth - dialog.clientWidth]
      })
      expect(overflow, name).toEqual([0, 0, 0])
      await page.keyboard.press('Escape')
    }
    const pane = page.locator('.graphiql-plugin')
    await pane.evaluate((element) => element.scrollTo(0, 100))
    expect(await pane.evaluate((element) => element.scrollTop)).toBe(100)
    await page.getByRole('button', { name: 'Show History' }).click()
    await page.getByText('History', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Show Queries' }).click()
    await page.getByText('Ready queries', { exact: true }).waitFor()
    await expect.poll(() => pane.evaluate((element) => element.scrollTop)).toBe(0)
    await context.close()
  })

  it.each(['light', 'dark'] as const)(
    '%s: the selected completion and the close button can be seen',
    async (colorScheme) => {
      const { context, page } = await visit('/graphql', { colorScheme })
      await enterKey(page)
      await connected(page)
      await page.getByRole('button', { name: 'Open settings dialog' }).click()
      const icon = page.locator('.graphiql-dialog-close svg')
      // The size of the drawing itself, without its padding.
      const size = await icon.evaluate((svg) => {
        const { width, paddingLeft, paddingRight, boxSizing } = getComputedStyle(svg)
        const padding = Number.parseFloat(paddingLeft) + Number.parseFloat(paddingRight)
        return Number.parseFloat(width) - (boxSizing === 'border-box' ? padding : 0)
      })
      expect(size).toBeGreaterThanOrEqual(10)
      await page.keyboard.press('Escape')
      await page.locator('.graphiql-query-editor .view-lines').click()
      await page.keyboard.press('ControlOrMeta+A')
      await page.keyboard.type('{ sal')
      await page.keyboard.press('Control+Space')
      const selected = page.locator('.suggest-widget.visible .monaco-list-row.focused')
      await selected.waitFor()
      // Monaco replaces the rows while suggestions arrive, so each try looks up the row again.
      const contrast = async () => {
        const colors = await page.evaluate(() => {
          const row = document.querySelector('.suggest-widget.visible .monaco-list-row.focused')
          const widget = row?.closest('.suggest-widget')
          if (!row || !widget) return null
          const label = row.querySelector('.monaco-highlighted-label span:not(.highlight), .label-name span') ?? row
          return [label, row, widget.querySelector('.monaco-list') ?? widget, widget].map((element, index) =>
            index === 0 ? getComputedStyle(element).color : getComputedStyle(element).backgroundColor,
          )
        })
        return colors ? contrastOf(colors) : 0
      }
      await expect.poll(contrast).toBeGreaterThanOrEqual(4.5)
      await context.close()
    },
  )

  it('/docs follows the dark colour scheme, with readable text', async () => {
    const { context, page } = await visit('/graphql', { colorScheme: 'dark' })
    await page.goto(`${origin}/docs`)
    await page.locator('.opblock').first().waitFor()
    const colors = await page.evaluate(() => {
      const style = (selector: string) => getComputedStyle(document.querySelector(selector) as Element)
      return [style('.opblock-tag').color, style('body').backgroundColor]
    })
    expect(contrastOf(colors)).toBeGreaterThanOrEqual(4.5)
    expect(luminanceOf(partsOf(colors[1] as string))).toBeLessThan(0.05)
    await page.emulateMedia({ colorScheme: 'light' })
    await expect
      .poll(() => page.evaluate(() => getComputedStyle(document.body).backgroundColor))
      .toBe('rgb(246, 245, 241)')
    await context.close()
  })

  it('copies without the Clipboard API', async () => {
    const { context, page } = await visit()
    await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }))
    await page.getByRole('button', { name: 'Copy link' }).click()
    await page.getByText('Link copied.', { exact: false }).waitFor()
    await context.close()
  })

  it('draws a time series, describes it in words and links to its rows', async () => {
    const { context, page } = await visit()
    await enterKey(page)
    await connected(page)
    await openReadyQuery(page, 'Sales by day, compared to last year')
    const chart = page.getByRole('img', { name: /^Line chart with 3 points/ })
    await chart.waitFor()
    expect(await chart.getAttribute('aria-label')).toContain('sales: lowest $9.00 (2026-03-09), highest $100.50')
    expect(await page.locator('.chart-view polyline').count()).toBe(2)
    await page.getByRole('checkbox', { name: 'yearBefore' }).uncheck()
    expect(await chart.getAttribute('aria-label')).not.toContain('yearBefore')
    await page.getByRole('button', { name: 'Show as a table' }).click()
    expect(await cells(page, 3)).toEqual(['$12.00', '$20.00', '–'])
    await context.close()
  })

  it('opens query and variables from a link for a user without a key, and runs nothing', async () => {
    const { context, page } = await visit()
    await enterKey(page)
    await connected(page)
    await openReadyQuery(page, 'Sales by day, compared to last year')
    await page.waitForSelector('.chart-view svg')
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
    // The schema and the name of the program.
    expect(other.requests.filter((request) => request.startsWith('POST'))).toHaveLength(2)
    // A link that is followed while the page is open opens a tab.
    await other.page.evaluate((hash) => location.assign(hash), new URL(link).hash)
    await expect.poll(() => other.page.locator('.graphiql-tab').count()).toBe(2)
    await other.context.close()
  })

  it('runs the query of a link at once for a user with a key, but never a change', async () => {
    const { context, page, requests } = await visit()
    await enterKey(page)
    await connected(page)
    const open = async (query: string) => {
      const link = await writeLink({ query, variables: '' })
      await page.goto('about:blank')
      await page.goto(`${origin}/graphql${link}`)
      await expect.poll(() => editorText(page)).toContain(query.slice(0, 20))
    }
    await open('query Linked { program { slug } }')
    await expect.poll(() => editorText(page, '.result-window')).toContain(slug)
    await open('mutation Linked { updateProgram(input: { name: "Changed by a link" }) { program { slug } } }')
    await connected(page)
    const { program } = await app.operator('{ program { name } }', {}, { 'X-Program-Id': id })
    expect(program.name).not.toBe('Changed by a link')
    expect(requests.filter((request) => request.startsWith('POST')).length).toBeLessThanOrEqual(7)
    await context.close()
  })

  it('at 1280 pixels the list folds away, and the editor gets half of the window', async () => {
    const { context, page } = await visit('/graphql', { viewport: { width: 1280, height: 800 } })
    await enterKey(page)
    await connected(page)
    await page.getByRole('button', { name: 'Revenue by campaign and month' }).click()
    await page.locator('.ready').waitFor({ state: 'detached' })
    const unfold = page.getByRole('button', { name: 'Show Queries' })
    await expect.poll(() => unfold.evaluate((button) => button === document.activeElement)).toBe(true)
    const width = () => page.locator('.graphiql-editors').evaluate((editors) => editors.getBoundingClientRect().width)
    expect(await width()).toBeGreaterThanOrEqual(640)
    // It stays folded.
    await page.reload()
    await connected(page)
    expect(await page.locator('.ready').count()).toBe(0)
    expect(await width()).toBeGreaterThanOrEqual(640)
    await unfold.click()
    await page.getByRole('button', { name: 'Hide the list' }).click()
    expect(await page.locator('.ready').count()).toBe(0)
    await context.close()
  })

  it('says what was meant, as the service does', async () => {
    const { context, page } = await visit()
    await enterKey(page)
    await connected(page)
    await page.locator('.graphiql-query-editor .view-lines').click()
    await page.keyboard.press('ControlOrMeta+A')
    await page.keyboard.insertText('# A typo.\nquery Typo { affiliates { nodes { emial } } }')
    await page.locator('.squiggly-error').waitFor()
    await page.locator('.graphiql-query-editor').getByText('emial').hover()
    await page.getByText('Did you mean "email"?', { exact: false }).first().waitFor()
    await context.close()
  })

  it.each(['light', 'dark'] as const)(
    'follows the %s colour scheme, unless another theme is chosen',
    async (colorScheme) => {
      const { context, page } = await visit('/graphql', { colorScheme })
      const isDark = () =>
        page.evaluate(() => {
          const [red = 255] = getComputedStyle(document.body).backgroundColor.match(/\d+/g)?.map(Number) ?? []
          return red < 100
        })
      expect(await isDark()).toBe(colorScheme === 'dark')
      await page.getByLabel('Colors').selectOption(colorScheme === 'dark' ? 'Light' : 'Dark')
      expect(await isDark()).toBe(colorScheme !== 'dark')
      await context.close()
    },
  )

  it('works with the keyboard only: key, ready query, chart, table, sorting, and leaving the editor', async () => {
    const { context, page } = await visit()
    const press = (key: string) => page.keyboard.press(key)
    const focused = () =>
      page.evaluate(() => {
        const element = document.activeElement as HTMLElement
        return element.getAttribute('aria-label') ?? element.textContent?.trim() ?? ''
      })
    const tabTo = async (name: string | RegExp, maxPresses = 60) => {
      for (let presses = 0; presses < maxPresses; presses++) {
        await press('Tab')
        const label = await focused()
        if (typeof name === 'string' ? label === name : name.test(label)) return
      }
      throw new Error(`Tab did not reach ${name}`)
    }
    await press('Tab')
    expect(await focused()).toBe('Skip to the query')
    await press('Tab')
    await press('Tab')
    await page.keyboard.type(secret)
    await press('Enter')
    await connected(page)
    await tabTo('Sales by day, compared to last year')
    await press('Enter')
    await page.waitForSelector('.chart-view svg')
    await tabTo('Chart')
    await press('ArrowLeft')
    expect(await focused()).toBe('Table')
    await page.waitForSelector('.table-view')
    await tabTo('sales')
    await press('Enter')
    expect(await cells(page, 2)).toEqual(['$9.00', '$30.00', '$100.50'])
    // Tab also leaves the editor.
    await page.locator('.graphiql-query-editor textarea').first().focus()
    await press('Tab')
    expect(await page.evaluate(() => document.activeElement?.closest('.monaco-editor'))).toBeNull()
    await context.close()
  })

  it.each(screens)(
    'at %i pixels, %s: no horizontal scrolling and no serious accessibility problems',
    async (width, colorScheme) => {
      const { context, page } = await visit('/graphql', { viewport: { width, height: 800 }, colorScheme })
      await enterKey(page)
      await connected(page)
      await openReadyQuery(page, 'Top ten affiliates this quarter')
      await page.waitForSelector('.chart-view svg')
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
      const problems = [await seriousProblems(page)]
      await page.getByRole('tab', { name: 'Table' }).click()
      problems.push(await seriousProblems(page))
      expect(problems.flat()).toEqual([])
      await context.close()
    },
  )
})

const partsOf = (color: string): number[] => color.match(/[\d.]+/g)?.map(Number) ?? []

/** Source: WCAG 2.2, relative luminance. */
function luminanceOf(rgb: number[]): number {
  const [red = 0, green = 0, blue = 0] = rgb.map((part) => {
    const share = part / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** The contrast of a text colour on backgrounds, the topmost first, which can be transparent. */
function contrastOf([text = '', ...backgrounds]: string[]): number {
  const ground = backgrounds.reverse().reduce<number[]>(
    (below, color) => {
      const [red = 0, green = 0, blue = 0, alpha = 1] = partsOf(color)
      return [red, green, blue].map((part, index) => part * alpha + (below[index] as number) * (1 - alpha))
    },
    [255, 255, 255],
  )
  const [one, other] = [luminanceOf(partsOf(text).slice(0, 3)), luminanceOf(ground)]
  return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05)
}

/** The accessibility problems of the page's own parts. Monaco's and GraphiQL's parts are not checked. */
const seriousProblems = (page: Page) =>
  axeProblems(page, {
    include: ['.bar', '.ready', '.results', '.skip', '.notice'],
    impacts: ['serious', 'critical'],
  })
