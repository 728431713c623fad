import { afterAll, describe, expect, it, vi } from 'vitest'
import { readMailSettings } from '../../src/kernel/mail.ts'
import { createMailer } from '../../src/server/operations/mailer.ts'
import { axeProblems, hasChromium, needsChromium } from '../support/browser.ts'
import { click, heading, problemsOf, signIn, startDashboard } from '../support/dashboard.ts'
import { silentLog } from '../support/database.ts'
import { createMailServer } from '../support/mail-server.ts'
import { addMember, password } from '../support/people.ts'

describe.skipIf(!hasChromium)('mails of the dashboard', async () => {
  if (!hasChromium) return it(needsChromium, () => {})
  const server = await createMailServer()
  const { settings } = readMailSettings(`smtp://127.0.0.1:${server.port}`, 'partners@acme.test')
  if (!settings) throw new Error('the settings are not valid')
  const { test, visit, olga } = await startDashboard({ mailer: createMailer({ settings, log: silentLog }) })
  const acme = await test.createProgram()
  afterAll(() => server.close())

  it('an owner invites a person, and reads that the link was mailed, or that it was not', async () => {
    const { page } = await visit(`/${acme.slug}/settings/people`, { as: olga })
    await click(page, 'Invite a person')
    await page.getByRole('dialog').getByLabel('E-mail').fill('new@acme.test')
    await page.getByRole('dialog').getByRole('button', { name: 'Create the link' }).click()
    await page.getByText('The link was mailed to new@acme.test.').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click()
    server.rejectWith('550 no such mailbox')
    await click(page, 'Invite a person')
    await page.getByRole('dialog').getByLabel('E-mail').fill('wrong@acme.test')
    await page.getByRole('dialog').getByRole('button', { name: 'Create the link' }).click()
    await page.getByText('The mail to wrong@acme.test could not be sent.').waitFor()
    await page.getByRole('button', { name: 'Copy the invitation link' }).waitFor()
    server.rejectWith(null)
  })

  it('a person changes their name and their e-mail, and stays signed in', async () => {
    const mia = await addMember(test, olga, acme.id, { email: 'mia@acme.test', role: 'MANAGER' })
    const { page, go } = await visit('/account', { as: mia, viewport: { width: 390, height: 844 } })
    await page.getByLabel('Name', { exact: true }).fill('Mia Neumann')
    await click(page, 'Change name')
    await page.getByText('Saved.').waitFor()
    await page.getByText('Mia Neumann · mia@acme.test').waitFor()
    await page.getByLabel('New e-mail').fill('neumann@acme.test')
    await click(page, 'Change e-mail')
    await page.getByText('Enter your password.').waitFor()
    await page.getByLabel('Your password').fill('not this one')
    await click(page, 'Change e-mail')
    await page.getByText('Your password is wrong').waitFor()
    await page.getByLabel('Your password').fill(password)
    expect(await problemsOf(page)).toEqual([])
    await click(page, 'Change e-mail')
    await page.getByText('Open the link that was mailed to neumann@acme.test.').waitFor()
    const mail = await vi.waitFor(
      () => server.received.find(({ to }) => to === 'neumann@acme.test') ?? Promise.reject(new Error('no mail')),
      { timeout: 20_000 },
    )
    await go(/http\S+/.exec(mail.text)?.[0] as string)
    await heading(page, 'Confirm your new e-mail')
    expect(await axeProblems(page)).toEqual([])
    await click(page, 'Confirm')
    await heading(page, 'Your e-mail was changed')
    await page.getByRole('link', { name: 'Open the dashboard' }).click()
    await heading(page, 'Home')
    await go('/account')
    await page.getByText('Mia Neumann · neumann@acme.test').waitFor()
  })

  it('a person who forgot the password asks for a link, and chooses another', async () => {
    const { page, go } = await visit('/sign-in')
    await page.getByRole('link', { name: 'Forgot your password?' }).click()
    await heading(page, 'Forgot your password?')
    await click(page, 'Send the link')
    await page.getByText('Enter your e-mail address.').waitFor()
    await page.getByLabel('E-mail').fill('olga@example.com')
    expect(await axeProblems(page)).toEqual([])
    await click(page, 'Send the link')
    await heading(page, 'Check your e-mail')
    const mail = await vi.waitFor(
      () => server.received.find(({ to }) => to === 'olga@example.com') ?? Promise.reject(new Error('no mail')),
      { timeout: 20_000 },
    )
    await go(/http\S+/.exec(mail.text)?.[0] as string)
    await page.getByLabel('New password').fill('four random words again')
    await click(page, 'Change password')
    await heading(page, 'Your password was changed')
    await page.getByRole('link', { name: 'Sign in' }).click()
    await signIn(page, 'olga@example.com', 'four random words again')
    await heading(page, 'Home')
  })
})
