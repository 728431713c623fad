import { describe, expect, it } from 'vitest'
import { axeProblems, hasChromium, needsChromium, screens } from '../support/browser.ts'
import { click, clipboard, closed, heading, problemsOf, startDashboard } from '../support/dashboard.ts'
import { createAffiliate } from '../support/factories.ts'
import { addMember } from '../support/people.ts'

/** One pixel. */
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

describe.skipIf(!hasChromium)('assets', async () => {
  if (!hasChromium) return it(needsChromium, () => {})
  const { test, visit, olga } = await startDashboard()
  const acme = await test.createProgram()
  const ada = await createAffiliate(acme, { first_name: 'Ada' })
  const manager = await addMember(test, olga, acme.id, { email: 'manager@acme.test', role: 'MANAGER' })

  it('a manager uploads an image, and an affiliate copies it with the link', async () => {
    const { page } = await visit(`/${acme.slug}/affiliates`, { as: manager })
    await page.getByRole('link', { name: 'Assets' }).click()
    await heading(page, 'Assets')
    await page.getByText('No assets').waitFor()
    await page.getByRole('button', { name: 'Create asset' }).click()
    await page.getByLabel('Name').fill('Banner')
    await click(page, 'Create asset')
    await page.getByText('Choose an image.').waitFor()
    expect(await problemsOf(page)).toEqual([])
    await page.getByLabel('Image', { exact: true }).setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: png })
    await page.getByLabel('What the image shows').fill('Acme in one pixel')
    await click(page, 'Create asset')
    await closed(page)
    await page.getByRole('row', { name: /Banner/ }).waitFor()
    await expect
      .poll(() => page.locator('.thumb').evaluate((image) => (image as HTMLImageElement).naturalWidth))
      .toBe(1)
    expect(await problemsOf(page)).toEqual([])

    const { sso } = (await acme.get(`/affiliates/${ada.id}/sso`)).body
    for (const [width, colorScheme] of screens) {
      const url = width === 1280 ? sso.url : (await acme.get(`/affiliates/${ada.id}/sso`)).body.sso.url
      const portal = await visit(url, { viewport: { width, height: 800 }, colorScheme })
      await portal.page.getByRole('heading', { name: 'Images, texts and videos to share' }).waitFor()
      await click(portal.page, 'Copy Banner')
      await expect.poll(() => clipboard(portal.page)).toContain('sub=asset-1"><img src=')
      await portal.page.locator('.chart svg').waitFor()
      expect(await axeProblems(portal.page)).toEqual([])
      expect(await portal.page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
    }

    await click(page, 'Archive Banner')
    await page.getByText('No assets').waitFor()
    await click(page, 'Archived')
    await page.getByRole('button', { name: 'Show again Banner' }).waitFor()
  })
})
