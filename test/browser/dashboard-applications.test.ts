import { describe, expect, it } from 'vitest'
import { hasChromium, needsChromium, screens } from '../support/browser.ts'
import { click, closed, heading, problemsOf, startDashboard } from '../support/dashboard.ts'
import { addMember } from '../support/people.ts'

describe.skipIf(!hasChromium)('applications and mails in the dashboard', async () => {
  if (!hasChromium) return it(needsChromium, () => {})
  const { test, origin, visit, olga } = await startDashboard()
  const acme = await test.createProgram()
  const manager = await addMember(test, olga, acme.id, { email: 'manager@acme.test', role: 'MANAGER' })
  const analyst = await addMember(test, olga, acme.id, { email: 'analyst@acme.test', role: 'ANALYST' })

  it('a stranger applies, confirms with the link of the outbox, is approved with another, and is welcomed', async () => {
    const { page: applicant, go } = await visit(`${origin}/join/${acme.slug}`)
    for (const name of ['Ada', 'Grace']) {
      await go(`${origin}/join/${acme.slug}`)
      await applicant.getByLabel('E-mail').fill(`${name.toLowerCase()}@stranger.test`)
      await applicant.getByLabel('First name').fill(name)
      await applicant.getByRole('button').click()
      await applicant.getByText('mail').first().waitFor()
    }

    const { page } = await visit(`/${acme.slug}/mails`, { as: manager })
    await page.getByText('No mail server is set, so mails wait here.').waitFor()
    for (const name of ['ada', 'grace']) {
      await page.getByRole('searchbox', { name: 'Address' }).fill(name)
      await page.getByText('1 mail', { exact: true }).waitFor()
      await click(page, `Open Confirm your e-mail for Acme, to ${name}@stranger.test`)
      const mail = page.frameLocator('iframe')
      const [tab] = await Promise.all([
        page.context().waitForEvent('page'),
        mail.getByRole('link', { name: 'Confirm the e-mail' }).click(),
      ])
      expect(await problemsOf(page)).toEqual([])
      await tab.getByRole('button', { name: 'Confirm' }).click()
      await tab.getByText('You get a mail with the decision.').waitFor()
      await tab.close()
      await page.getByRole('tab', { name: 'Plain text' }).click()
      await page.getByText(`${origin}/join/confirm#token=`).waitFor()
      await page.keyboard.press('Escape')
      await closed(page)
    }

    await page.getByRole('link', { name: 'Home' }).click()
    await page.getByRole('link', { name: '2 applications wait for a decision' }).click()
    await heading(page, 'Applications')
    await page.getByText('1 more from the same network').first().waitFor()
    expect(await problemsOf(page)).toEqual([])
    await page.getByLabel('Select Ada').check()
    await page.getByLabel('Select Grace').check()
    await click(page, 'Approve …')
    await page.getByRole('dialog').getByText('Ada').waitFor()
    expect(await problemsOf(page)).toEqual([])
    await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click()
    await page.getByText('2 applications were approved.').waitFor()
    await page.getByText('No applications wait').waitFor()
    await page.getByLabel('State').selectOption('Approved')
    await click(page, 'Details Ada')
    await page.getByRole('link', { name: 'Show the mails to this address' }).waitFor()
    await page.getByRole('link', { name: 'Show the mails to this address' }).click()
    await click(page, 'Open Welcome to Acme, to ada@stranger.test')
    await page.frameLocator('iframe').getByText('https://acme.test/?via=').waitFor()
  })

  it('an analyst sees the outbox without its links', async () => {
    const { page } = await visit(`/${acme.slug}/mails`, {
      as: analyst,
      viewport: { width: 390, height: 844 },
      colorScheme: 'dark',
    })
    await page.getByText('6 mails').waitFor()
    await page.getByRole('button', { name: 'Open' }).first().click()
    await page.getByText('Only managers and owners read mails').waitFor()
    expect(await page.locator('iframe').count()).toBe(0)
  })

  it('a manager sets what the page asks, what decides and the terms', async () => {
    const { page, go } = await visit(`/${acme.slug}/applications`, { as: manager })
    await page.getByRole('link', { name: 'How people apply' }).click()
    await heading(page, 'How people apply')
    await page.getByLabel('Text', { exact: true }).fill('For people who write.')
    await page.getByLabel('Color', { exact: true }).fill('blue')
    await click(page, 'Save')
    await page.getByText('must be a colour such as #1f5eff').waitFor()
    await page.getByLabel('Color', { exact: true }).fill('#116633')
    await page.getByLabel('Websites that can send applications').fill('https://acme.test')
    await click(page, 'Save')
    await page.getByText('Saved.').waitFor()
    await page.getByText(`join/embed.js" data-program="${acme.slug}"`).waitFor()

    const dialog = page.locator('[role=dialog]:not(.toast)')
    await click(page, 'Add field')
    await dialog.getByLabel('Label').fill('Your audience')
    await dialog.getByLabel('Kind').selectOption('One of several choices')
    await click(page, 'Add field')
    await dialog.getByText('Enter the choices.').waitFor()
    await dialog.getByLabel('Choices').fill('Blog\nVideo')
    expect(await problemsOf(page)).toEqual([])
    await click(page, 'Add field')
    await page.getByRole('cell', { name: 'your_audience' }).waitFor()
    await closed(page)
    await click(page, 'Add rule')
    await dialog.getByLabel('Own field').selectOption('Your audience')
    await dialog.getByLabel('Has one of these values').fill('blog')
    await dialog.getByLabel('Reason').fill('Bloggers are welcome')
    await click(page, 'Add rule')
    await page.getByRole('rowheader', { name: 'Your audience is blog' }).waitFor()
    await closed(page)
    await click(page, 'Publish a new version')
    await dialog.getByLabel('Terms').fill('Be kind.')
    await dialog.getByRole('button', { name: 'Show who is told' }).click()
    await dialog.getByRole('button', { name: /^Publish/ }).click()
    await page.getByText('Version 1 was published.').waitFor()
    await page.getByText('In force').waitFor()
    await closed(page)
    expect(await problemsOf(page)).toEqual([])

    await go(`/${acme.slug}/applications`)
    await click(page, 'Invite people')
    await dialog.getByLabel('E-mail addresses').fill('new@stranger.test, ada@stranger.test')
    await dialog.getByLabel('CSV file').setInputFiles({
      name: 'people.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('name,email\nLin,lin@stranger.test\n\nNoor,\nBo,bo at stranger.test\n'),
    })
    await dialog.getByText('1 e-mail added. 2 lines without an e-mail left out: 4, 5.').waitFor()
    await dialog.getByRole('button', { name: 'Invite 3 people' }).waitFor()
    expect(await problemsOf(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Invite 3 people' }).click()
    await page.getByText('2 invitations were written. 1 left out').waitFor()

    await go(`${origin}/join/${acme.slug}`)
    await page.getByText('For people who write.').waitFor()
    await page.getByLabel('Your audience').waitFor()
    await page.getByText('Be kind.').waitFor()
  })

  it.each(screens)('at %i pixels, %s: no horizontal scrolling and no problems', async (width, colorScheme) => {
    const options = { as: manager, viewport: { width, height: 800 }, colorScheme } as const
    const { page, go } = await visit(`/${acme.slug}/applications?state=approved`, options)
    for (const [path, text] of [
      ['applications?state=approved', '2 applications'],
      ['applications/join', 'In force'],
      ['mails', 'mails'],
    ] as const) {
      await go(`/${acme.slug}/${path}`)
      await page.getByRole('main').getByText(text).first().waitFor()
      expect([path, await page.evaluate(() => document.documentElement.scrollWidth)]).toEqual([path, width])
      expect(await problemsOf(page)).toEqual([])
    }
  })
})
