import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { preferencesUrl } from '../../src/modules/mails/choices.ts'
import { unsubscribeUrl } from '../../src/modules/mails/unsubscribe.ts'
import { testKey } from '../support/app.ts'
import { axeProblems, hasChromium, needsChromium } from '../support/browser.ts'
import { startDashboard } from '../support/dashboard.ts'
import { createAffiliate } from '../support/factories.ts'

describe.skipIf(!hasChromium)('pages without a sign-in, at 320 pixels', async () => {
  if (!hasChromium) return it(needsChromium, () => {})
  const { test, origin, visit } = await startDashboard()
  const program = await test.createProgram()
  const { id: affiliateId } = await createAffiliate(program)
  const ofAffiliate = { programId: program.id, affiliateId }
  const drawn: Record<string, (page: Page) => Promise<void>> = {
    '/docs': (page) => page.locator('.opblock').first().waitFor(),
    '/docs?profile=superset': (page) => page.locator('.opblock').first().waitFor(),
    '/docs#/Affiliates/createAffiliate': (page) => page.locator('.opblock-body .responses-table').first().waitFor(),
    '/docs#/Commissions/listCommissions': (page) => page.locator('.opblock-body .responses-table').first().waitFor(),
    '/graphql': (page) => page.locator('.graphiql-tab[role=listitem]').first().waitFor(),
  }
  const stop = { programId: program.id, addresseeId: affiliateId, what: 'payouts' } as const
  const pages = [
    '/',
    ...Object.keys(drawn),
    `/join/${program.slug}`,
    '/join/confirm',
    `/portal?program=${program.slug}`,
    preferencesUrl('', testKey, ofAffiliate),
    unsubscribeUrl('', testKey, stop),
    '/mail/payout-address/nothing',
  ]

  it.each(pages)('%s is accessible and fits, light and dark', async (path) => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const { page } = await visit(`${origin}/healthz`, { colorScheme, viewport: { width: 320, height: 800 } })
      // A page for a link that is not valid answers 404.
      const status = path.endsWith('/nothing') ? 404 : 200
      if (status === 200) await page.goto(`${origin}${path}`)
      else await page.setContent(await (await fetch(`${origin}${path}`)).text())
      await page.getByRole('main').first().waitFor()
      await drawn[path]?.(page)
      await expect.poll(() => axeProblems(page)).toEqual([])
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
    }
  })
})
