import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { axeProblems, hasChromium, needsChromium } from '../support/browser.ts'
import { click, startDashboard } from '../support/dashboard.ts'
import { createAffiliate } from '../support/factories.ts'
import { addMember } from '../support/people.ts'

describe.skipIf(!hasChromium)('own fields in the dashboard', async () => {
  if (!hasChromium) return it(needsChromium, () => {})
  const { test, visit, olga } = await startDashboard()
  const program = await test.createProgram()
  const mia = await addMember(test, olga, program.id, { email: 'mia@acme.test', role: 'MANAGER', name: 'Mia Manager' })
  const { slug } = program

  it('are defined, filled, filtered, shown, saved to a file, and deleted', async () => {
    await createAffiliate(program, { email: 'other@x.test', first_name: 'Other', last_name: 'One' })
    const { page } = await visit(`/${slug}/settings/fields`, { as: mia })
    const dialog = page.locator('.dialog')
    const define = async (label: string, type: string, choices?: string) => {
      await click(page, 'Add field')
      await dialog.getByLabel('Label').fill(label)
      await dialog.getByLabel('Type').selectOption(type)
      if (choices) await dialog.getByLabel('Choices').fill(choices)
      await dialog.getByRole('button', { name: 'Add field' }).click()
      await dialog.waitFor({ state: 'hidden' })
    }
    await define('Audience', 'Choice', 'Blog\nVideo')
    await define('Followers', 'Number')
    await page.getByRole('cell', { name: 'Choice: Blog, Video' }).waitFor()
    expect(await axeProblems(page)).toEqual([])

    await page.goto(new URL(`/dashboard/${slug}/affiliates`, page.url()).href)
    await click(page, 'Create affiliate')
    await dialog.getByLabel('E-mail', { exact: true }).fill('ada@x.test')
    await dialog.getByLabel('First name').fill('Ada')
    await dialog.getByLabel('Audience').selectOption('Video')
    await dialog.getByLabel('Followers').fill('many')
    await dialog.getByRole('button', { name: 'Create affiliate' }).click()
    await dialog.getByText('followers must be a number such as 12.5').waitFor()
    await dialog.getByLabel('Followers').fill('1200')
    await dialog.getByRole('button', { name: 'Create affiliate' }).click()
    const fact = (name: string) => page.locator('dl.facts > div').filter({ hasText: name }).locator('dd')
    await expect.poll(() => fact('Followers').textContent()).toBe('1200')
    await click(page, 'Edit affiliate')
    await dialog.getByLabel('Audience').selectOption('Blog')
    await dialog.getByLabel('Followers').fill('')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect.poll(() => fact('Audience').textContent()).toBe('Blog')
    await expect.poll(() => fact('Followers').textContent()).toBe('None')

    await page.goto(new URL(`/dashboard/${slug}/affiliates`, page.url()).href)
    await page.getByLabel('Select Ada').check()
    await click(page, 'Set field')
    await page.getByRole('menuitem', { name: 'Followers' }).click()
    await dialog.getByLabel('Followers').fill('many')
    await dialog.getByRole('button', { name: 'Change 1 affiliate' }).click()
    await dialog.getByText('followers must be a number such as 12.5').waitFor()
    await dialog.getByLabel('Followers').fill('1200')
    await dialog.getByRole('button', { name: 'Change 1 affiliate' }).click()
    await page.getByText('1 affiliate was changed.').waitFor()
    const text = '{ affiliates(where: { ownFields: { name: "followers", equals: "1200" } }) { nodes { email } } }'
    expect((await program.graphql(text)).affiliates.nodes).toEqual([{ email: 'ada@x.test' }])

    await page.getByLabel('Audience').selectOption('Blog')
    await expect.poll(() => page.locator('tbody th a').allTextContents()).toEqual(['Ada'])
    await click(page, 'Columns')
    await page.getByRole('menuitemcheckbox', { name: 'Audience' }).click()
    await page.keyboard.press('Escape')
    await page.getByRole('cell', { name: 'Blog' }).waitFor()
    const download = page.waitForEvent('download')
    await click(page, 'Export CSV')
    expect(await readFile(await (await download).path(), 'utf8')).toMatch(/,audience\b.*\r\n.*ada@x\.test.*,Blog\r?\n/s)

    await page.goto(new URL(`/dashboard/${slug}/settings/fields`, page.url()).href)
    await click(page, 'Delete Audience')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('The field Audience was deleted.').waitFor()
    const { affiliateFields } = await program.graphql('{ affiliateFields { name } }')
    expect(affiliateFields).toEqual([{ name: 'followers' }])
  })
})
