import type { Browser, Page } from 'playwright-core'

export type Click = { what: string; ms: number }
export type Cookie = { name: string; value: string; url: string }

/**
 * Clicks through the dashboard as a person does: each view of the navigation, its first row, and a search. A new context has an empty cache, so the first click on a view also loads its code.
 *
 * @param home the address of the program's Home
 * @param find what is typed into the search
 * @returns the time from each click to the frame that shows the content, ms
 */
export async function clickThrough(
  browser: Browser,
  { home, find, cookies }: { home: string; find: string; cookies: Cookie[] },
): Promise<Click[]> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  try {
    await context.addCookies(cookies)
    await context.addInitScript(defineClick)
    const page = await context.newPage()
    await page.goto(home)
    await page.waitForFunction(() => (window as { hasContent?(): boolean }).hasContent?.())
    const clicks: Click[] = []
    const measure = async (what: string, selector: string) => {
      const ms = await clickTo(page, selector)
      if (ms !== undefined) clicks.push({ what, ms })
    }
    const views = await addressesOf(page, 'nav a[href*="/dashboard/"]')
    for (const view of views) {
      const name = view.slice(view.lastIndexOf('/') + 1)
      await measure(name, `nav a[href="${view}"]`)
      await measure(`${name}: first row`, 'main tbody tr:first-child :is(a.opens, th a)')
    }
    clicks.push({ what: 'search', ms: await search(page, find) })
    return clicks
  } finally {
    await context.close()
  }
}

/** It is a text, because tsx changes functions. */
const defineClick = `
  window.hasContent = () =>
    document.querySelector('main h1')?.textContent && !document.querySelector('main :is(.skeleton, [aria-busy=true])')
  window.clickTo = (selector) => new Promise((done) => {
    const link = document.querySelector(selector)
    if (!link || link.href === location.href) return done(undefined)
    const before = document.querySelector('main h1')
    const clickedAt = performance.now()
    link.click()
    requestAnimationFrame(function look() {
      if (document.querySelector('main h1') !== before && window.hasContent()) done(performance.now() - clickedAt)
      else if (performance.now() - clickedAt > 30_000) done(30_000)
      else requestAnimationFrame(look)
    })
  })`

const clickTo = (page: Page, selector: string): Promise<number | undefined> =>
  page.evaluate(`window.clickTo(${JSON.stringify(selector)})`)

const addressesOf = (page: Page, selector: string): Promise<string[]> =>
  page.evaluate(
    `[...new Set([...document.querySelectorAll(${JSON.stringify(selector)})].map((link) => link.getAttribute('href')))]`,
  )

/** From the last letter to the results, which includes the wait for more letters. */
async function search(page: Page, text: string): Promise<number> {
  await page.keyboard.press('Control+k')
  const box = page.locator('.find').getByRole('combobox')
  await box.fill(text.slice(0, -1))
  await box.press(text.slice(-1))
  return page.evaluate(`new Promise((done) => {
    const typedAt = performance.now()
    requestAnimationFrame(function look() {
      if (document.querySelector('.find .find-list [role=option]') && !document.querySelector('.find [aria-busy=true]'))
        done(performance.now() - typedAt)
      else requestAnimationFrame(look)
    })
  })`)
}
