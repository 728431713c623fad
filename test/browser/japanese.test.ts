import { describe, expect, it } from 'vitest'
import { preferencesUrl } from '../../src/modules/mails/choices.ts'
import { testKey } from '../support/app.ts'
import { axeProblems, hasChromium, needsChromium } from '../support/browser.ts'
import { click, heading, problemsOf, startDashboard } from '../support/dashboard.ts'

describe.skipIf(!hasChromium)('a person who reads Japanese, on a phone', async () => {
  if (!hasChromium) return it(needsChromium, () => {})
  const { test, origin, visit, olga } = await startDashboard()
  const program = await test.createProgram()
  const phone = { locale: 'ja-JP', viewport: { width: 360, height: 780 } }
  const email = 'hana@japan.test'

  const linkIn = async (kind: string): Promise<string> => {
    const { mails } = await program.graphql(
      'query ($kind: MailKind!) { mails(first: 1, where: { kind: { equals: $kind } }) { nodes { text } } }',
      { kind },
    )
    return /http\S+#\S+/.exec(mails.nodes[0].text)?.[0] ?? ''
  }

  it('applies, confirms, signs in, changes the language, and chooses mails', async () => {
    const { page } = await visit(`${origin}/join/${program.slug}`, phone)
    /** Everything fits the screen, is accessible, and is in a language. */
    const check = async (language: string) => {
      expect(await page.evaluate(() => document.documentElement.lang)).toBe(language)
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
      expect(await axeProblems(page)).toEqual([])
    }
    await heading(page, 'Acmeのアフィリエイトに申し込む')
    await page.getByText('売上ごとに20%の報酬', { exact: false }).waitFor()
    await check('ja')
    await page.getByLabel('メールアドレス').fill(email)
    await page.getByLabel('名（任意）').fill('花子')
    await click(page, '申し込む')
    await heading(page, 'メールをご確認ください')
    await check('ja')

    await page.goto(await linkIn('APPLICATION_CONFIRM'))
    await check('ja')
    await click(page, '確認する')
    await page.getByText('メールアドレスを確認しました。', { exact: false }).waitFor()
    const { applications } = await program.graphql('{ applications { nodes { id } } }')
    const ids = applications.nodes.map(({ id }: { id: string }) => id)
    const approve = 'mutation ($ids: [ID!]!) { approveApplications(input: { ids: $ids }) { __typename } }'
    await program.graphql(approve, { ids })

    await page.goto(`${origin}/portal?program=${program.slug}`)
    await heading(page, 'ログイン')
    await check('ja')
    await page.getByLabel('メールアドレス').fill(email)
    await click(page, 'リンクを送信')
    await page.getByText('リンクをメールでお送りしました。', { exact: false }).waitFor()
    await page.goto(await linkIn('SIGN_IN'))
    await heading(page, '花子 様、こんにちは')
    await page.getByText('売上ごとに20%の報酬', { exact: false }).waitFor()
    await page.getByRole('heading', { name: 'お支払い先' }).waitFor()
    await page.getByText('この期間の実績はありません。', { exact: false }).waitFor()
    await check('ja')

    await page.getByLabel('言語').selectOption('Deutsch')
    await heading(page, 'Hallo, 花子')
    await check('de')
    const language = async () => {
      const { affiliates } = await program.graphql('{ affiliates { nodes { id language } } }')
      return affiliates.nodes[0]
    }
    await expect.poll(async () => (await language()).language).toBe('de')
    await page.getByLabel('Sprache').selectOption('日本語')
    await heading(page, '花子 様、こんにちは')
    await expect.poll(async () => (await language()).language).toBe('ja')
    // The next visit is in Japanese at once, whatever the browser says.
    await page.reload()
    await heading(page, '花子 様、こんにちは')

    const { id: affiliateId } = await language()
    await page.goto(preferencesUrl(origin, testKey, { programId: program.id, affiliateId }))
    await heading(page, 'メールの設定')
    await check('ja')
    await page.getByLabel('新しい報酬のお知らせ').selectOption('週1回')
    await click(page, '保存')
    await page.getByText('保存しました。').waitFor()
  })

  it('a manager edits the text of a mail, sees it with real data, and sends it to themselves', async () => {
    const { page } = await visit(`/${program.slug}/mails/texts`, { as: olga })
    await heading(page, 'Texts of mails')
    await page.getByLabel('Language').selectOption('日本語')
    await page.getByText('{{program}}へようこそ').waitFor()
    expect(await problemsOf(page)).toEqual([])
    await page.getByRole('button', { name: 'Edit Application approved' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Subject').fill('{{nmae}} 様、{{program}}へようこそ')
    await click(page, 'Save')
    await dialog.getByText('Known are {{program}}', { exact: false }).waitFor()
    await dialog.getByLabel('Subject').fill('{{name}} 様、{{program}}へようこそ！')
    await click(page, 'Preview')
    await dialog.getByText('花子 様、Acmeへようこそ！').waitFor()
    await click(page, 'Send a test to me')
    await page.getByText('A test was written to olga@example.com.').waitFor()
    await click(page, 'Save')
    await page.getByText('Changed', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Turn off Payout sent' }).click()
    await page.getByRole('button', { name: 'Turn on Payout sent' }).waitFor()
  })
})
