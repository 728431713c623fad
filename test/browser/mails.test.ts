import { afterAll, describe, expect, it } from 'vitest'
import { languages } from '../../src/kernel/languages.ts'
import { composeMail, writeMail } from '../../src/modules/mails/compose.ts'
import { kinds } from '../../src/modules/mails/kinds/all.ts'
import { writtenKinds } from '../../src/modules/mails/variables.ts'
import { mailTexts } from '../../src/texts/texts.ts'
import { axeProblems, hasChromium, needsChromium, sharedChromium } from '../support/browser.ts'

const address = `https://affiliates.a-company-with-a-long-name.example/mail/unsubscribe/${'0198c0de'.repeat(18)}`
const program = { name: 'Northwind Analytics', locale: 'en-US' }

const exampleIn = (language: (typeof languages)[number]) => ({
  texts: mailTexts[language],
  name: 'Ada',
  amount: '$1,234.50',
  link: `https://affiliates.a-company-with-a-long-name.example/portal?program=northwind-analytics#ticket=${'x'.repeat(300)}`,
  affiliateUrl: 'https://www.a-company-with-a-long-name.example/pricing/for-teams?via=ada-lovelace-newsletter',
  day: 'November 26, 2026',
  time: 'November 26, 2026 at 3:05 PM UTC',
  month: 'November 2026',
  news: { change: 'From Dec 1, 2026 you earn 35%.', reward: 'You earn 35%.', before: 'Until then: 20%.' },
})

const mailIn = (language: (typeof languages)[number], kind: (typeof writtenKinds)[number], brand: object) => {
  const values = { ...kinds[kind].examples(exampleIn(language)), preferences: address }
  const mail = composeMail(program, kind, { to: '', language, unsubscribeUrl: kinds[kind].stop && address }, values)
  return writeMail(program, mail, { color: null, logoUrl: null, ...brand })
}

describe.skipIf(!hasChromium)('mails on a phone of 320 pixels, with images off', async () => {
  if (!hasChromium) return it(needsChromium, () => {})
  const context = await (await sharedChromium()).newContext({ viewport: { width: 320, height: 640 } })
  afterAll(() => context.close())
  const page = await context.newPage()

  describe.each(languages)('in %s', (language) => {
    it.each(writtenKinds)('%s fits, and is accessible, light and dark', async (kind) => {
      // Half of them have a logo, which is not loaded: its place says the name.
      const hasLogo = writtenKinds.indexOf(kind) % 2 === 0
      const brand = hasLogo ? { color: '#ffd400', logoUrl: 'https://cdn.acme.test/logo.png' } : {}
      const { html, text } = mailIn(language, kind, brand)
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        await page.setContent(html)
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
        expect(await axeProblems(page)).toEqual([])
      }
      const shown = await page.locator('body').textContent()
      expect(shown).toMatch(/Northwind Analytics/)
      expect(shown).not.toContain('/mail/unsubscribe/')
      if (kinds[kind].stop === null) return
      expect(text).toContain(address)
      await page.locator(`a[href="${address}"]`).first().waitFor()
    })
  })

  it('is as wide as a column of text on a large screen', async () => {
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.setContent(mailIn('en', 'payout_sent', {}).html)
    expect((await page.locator('table.paper').boundingBox())?.width).toBe(560)
  })
})
