import { describe, expect, it } from 'vitest'
import { createTestApp } from '../support/app.ts'
import { axeProblems, createWeb, hasChromium, needsChromium } from '../support/browser.ts'
import { createSeller } from '../support/factories.ts'

describe.skipIf(!hasChromium)('pages of other sites', async () => {
  if (!hasChromium) return it(needsChromium, () => {})
  const test = await createTestApp()
  const sites: Record<string, string> = {}
  const web = await createWeb(test.app, sites)
  const program = await test.createProgram()
  const { affiliate } = await createSeller(program, { name: 'Launch', commission_percent: 20 })
  await program.put(`/affiliates/${affiliate.id}`, { first_name: 'Ada' })

  const allow = (...hosts: string[]) =>
    program.graphql(
      'mutation ($origins: [URL!]) { updateJoinSettings(input: { origins: $origins }) { joinSettings { isOpen } } }',
      { origins: hosts.map((host) => `http://${host}`) },
    )
  const createToken = async () =>
    (
      await program.graphql(
        'mutation ($id: ID!) { createAffiliateToken(input: { affiliateId: $id, expiresInSeconds: 900 }) { token } }',
        { id: affiliate.id },
      )
    ).createAffiliateToken.token as string
  const siteWith = (kind: 'portal' | 'join', attributes: string) =>
    `<!doctype html><html lang="en"><title>Acme</title><main><h1>Acme</h1>
    <script src="${web.service}/${kind}/embed.js" data-program="${program.slug}" ${attributes}></script></main>`

  it('shows the portal with a token and one script element, without cookies and without storage', async () => {
    await allow('acme.test')
    sites['acme.test'] = siteWith('portal', `data-token="${await createToken()}" data-theme="dark"`)
    const visitor = await web.visitor()
    await visitor.clock.setFixedTime(test.clock.now)
    const page = await visitor.open(web.at('acme.test'))
    const errors: string[] = []
    page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
    const frame = page.frameLocator('iframe[title="Affiliate portal"]')
    await frame.getByRole('heading', { level: 1, name: 'Hello, Ada' }).waitFor()
    await frame.getByRole('heading', { name: 'Payouts', exact: true }).waitFor()
    expect(await frame.getByRole('button', { name: 'Sign out', exact: true }).count()).toBe(0)
    const inner = page.frames()[1]
    const stored = () =>
      inner?.evaluate(() => [sessionStorage.length, localStorage.length, document.documentElement.dataset.theme])
    expect(await stored()).toEqual([0, 0, 'dark'])
    expect(await visitor.cookies()).toEqual([])
    // The frame is as high as what is in it: it has no scrollbar of its own.
    await expect
      .poll(() => inner?.evaluate(() => document.documentElement.scrollHeight - innerHeight))
      .toBeLessThanOrEqual(0)
    await page.setViewportSize({ width: 360, height: 700 })
    await expect.poll(() => inner?.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
    expect(await axeProblems(page)).toEqual([])
    expect(errors).toEqual([])
  })

  it('asks the site for a new token when the token has ended', async () => {
    await allow('acme.test')
    const ended = await createToken()
    await test.operator('mutation ($id: ID!) { revokeAffiliateTokens(input: { programId: $id }) { program { id } } }', {
      id: program.id,
    })
    sites['acme.test'] = siteWith('portal', `data-token="${ended}" data-token-url="/token"`)
    sites['acme.test/token'] = JSON.stringify({ token: await createToken() })
    const page = await (await web.visitor()).open(web.at('acme.test'))
    const frame = page.frameLocator('iframe')
    await frame.getByRole('heading', { level: 1, name: 'Hello, Ada' }).waitFor()
  })

  it('says what to do if the site has no new token', async () => {
    await allow('acme.test')
    sites['acme.test'] = siteWith('portal', 'data-token="trib_at_wrong"')
    const page = await (await web.visitor()).open(web.at('acme.test'))
    await page.frameLocator('iframe').getByText('Load this page again to see your data.').waitFor()
  })

  it.each(['portal', 'join'] as const)('says in the frame why the %s is not shown on a site', async (kind) => {
    await allow('acme.test')
    sites['evil.test'] = siteWith(kind, `data-token="${await createToken()}"`)
    const page = await (await web.visitor()).open(web.at('evil.test'))
    const { origin } = new URL(page.url())
    const frame = page.frameLocator('iframe')
    await frame.getByText(`does not name the origin ${origin}, so this page is not shown`).waitFor()
    await frame.getByText('Applications → How people apply').waitFor()
    expect(await frame.locator('script, form').count()).toBe(0)
  })

  it.each(['portal?program=', 'join/'])('shows nothing of /%s in a frame that names another origin', async (path) => {
    await allow('acme.test')
    const named = new URL(web.at('acme.test')).origin
    const address = new URL(`${path}${program.slug}`, `${web.service}/`)
    address.searchParams.set('origin', named)
    sites['evil.test'] = `<!doctype html><iframe src="${address}"></iframe>`
    const visitor = await web.visitor()
    const refused = visitor.waitForEvent('console', (message) => message.text().includes('frame-ancestors'))
    await visitor.open(web.at('evil.test'))
    await refused
  })

  it('shows the join page, as high as its content, and takes an application', async () => {
    await allow('acme.test')
    sites['acme.test'] = siteWith('join', 'data-email="eve@stranger.test" data-theme="light"')
    const page = await (await web.visitor()).open(web.at('acme.test'))
    const frame = page.frameLocator('iframe[title="Become an affiliate"]')
    await frame.getByRole('heading', { level: 1 }).waitFor()
    const inner = page.frames()[1]
    await expect
      .poll(() => inner?.evaluate(() => document.documentElement.scrollHeight - innerHeight))
      .toBeLessThanOrEqual(0)
    expect(await frame.getByLabel('E-mail').inputValue()).toBe('eve@stranger.test')
    await frame.getByRole('button', { name: 'Apply' }).dblclick()
    await frame.getByRole('heading', { name: 'Look into your mailbox' }).waitFor()
    const { mails } = await program.graphql(
      '{ mails(first: 5, where: { to: { equals: "eve@stranger.test" } }) { totalCount } }',
    )
    expect(mails.totalCount).toBe(1)
    expect(await inner?.evaluate(() => document.documentElement.dataset.theme)).toBe('light')
  })
})
