import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { makeDemoProgram } from '../../src/modules/demo/service.ts'
import { axeProblems, hasChromium, needsChromium, screens } from '../support/browser.ts'
import { heading, startDashboard } from '../support/dashboard.ts'

describe.skipIf(!hasChromium)('the look of all pages', async () => {
  if (!hasChromium) return it(needsChromium, () => {})
  const { test, origin, visit, olga } = await startDashboard({ demoShop: true })
  await makeDemoProgram(test.database.db, { now: test.clock.now, asked: true, months: 1 })
  const pages = ['/', '/nothing', '/docs', '/graphql', '/portal', '/dashboard/sign-in', '/demo/shop']

  const open = async (page: Page, path: string) => {
    await page.goto(`${origin}${path}`)
    await page.getByLabel('Colors').waitFor()
  }
  const colors = (page: Page) =>
    page.evaluate(() => {
      const { backgroundColor, color, fontFamily } = getComputedStyle(document.body)
      return { backgroundColor, color, fontFamily }
    })

  it('is light, dark or that of the system on each page, as it was chosen on one', async () => {
    const { page } = await visit(`${origin}/`, { colorScheme: 'dark' })
    const seen: Record<string, Awaited<ReturnType<typeof colors>>[]> = { System: [], Light: [], Dark: [] }
    for (const [theme, all] of Object.entries(seen)) {
      await open(page, '/')
      await page.getByLabel('Colors').selectOption(theme)
      for (const path of pages) {
        await open(page, path)
        expect(await page.getByLabel('Colors').locator('option:checked').textContent()).toBe(theme)
        all.push(await colors(page))
      }
    }
    const different = (theme: string) => new Set(seen[theme]?.map((each) => JSON.stringify(each)))
    for (const theme of Object.keys(seen)) expect([...different(theme)]).toHaveLength(1)
    expect(different('Dark')).toEqual(different('System'))
    expect(different('Light')).not.toEqual(different('Dark'))
  })

  it.each(screens)('is accessible and fits at %d pixels, %s', async (width, colorScheme) => {
    const { page } = await visit(`${origin}/`, { colorScheme, viewport: { width, height: 844 } })
    for (const path of pages) {
      await open(page, path)
      // What GraphiQL and Swagger UI draw is in accessible-pages.test.ts.
      const own = ['/docs', '/graphql'].includes(path) ? { include: ['.bar'] } : {}
      expect([path, await axeProblems(page, own)]).toEqual([path, []])
      expect([path, await page.evaluate(() => document.documentElement.scrollWidth)]).toEqual([path, width])
    }
  })

  it('GraphiQL knows who is signed in, asks for the program that was opened last, and leads back to it', async () => {
    const { slug } = await test.createProgram()
    const { page } = await visit(`/${slug}/home`, { as: olga })
    await heading(page, 'Home')
    await page.getByRole('button', { name: /Account of/ }).click()
    await page.getByRole('menuitem', { name: 'GraphiQL' }).click()
    await page.getByText(/^Signed in.* as Olga Operator\./).waitFor()
    await page.getByRole('link', { name: 'Dashboard' }).click()
    await heading(page, 'Home')
    expect(page.url()).toBe(`${origin}/dashboard/${slug}/home`)
  })
})
