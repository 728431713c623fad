import { describe, expect, it } from 'vitest'
import { axeProblems, hasChromium, needsChromium } from '../support/browser.ts'
import { click, clipboard, heading, signIn, startDashboard } from '../support/dashboard.ts'
import { codeOf } from '../support/one-time-code.ts'
import { createProvider } from '../support/openid-provider.ts'
import { addMember, createBrowser, password } from '../support/people.ts'

describe.skipIf(!hasChromium)('people who come to the dashboard', async () => {
  if (!hasChromium) return it(needsChromium, () => {})
  const provider = await createProvider()
  const oidc = { issuer: provider.url, clientId: 'tributary', clientSecret: 'secret', name: 'Acme accounts' }
  const { test, origin, visit, olga } = await startDashboard({ oidc })
  const acme = await test.createProgram()
  const other = await test.createProgram()
  const owner = await addMember(test, olga, acme.id, { email: 'owner@acme.test', role: 'OWNER' })
  await addMember(test, olga, acme.id, { email: 'analyst@acme.test', role: 'ANALYST' })

  it('signs in with e-mail and password, and returns to the view that was asked for', async () => {
    const { page, go } = await visit(`/${acme.slug}/developers`)
    await heading(page, 'Sign in')
    await click(page, 'Sign in')
    await page.getByText('Enter your e-mail address.').waitFor()
    await signIn(page, 'owner@acme.test', 'wrong password for me')
    await page.getByRole('alert').waitFor()
    await signIn(page, 'owner@acme.test')
    await heading(page, 'Developers')
    await click(page, 'Account of Mia Member')
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await heading(page, 'Sign in')
    await go('')
    await heading(page, 'Sign in')
  })

  it('a foreign address in the link to the sign-in is not followed', async () => {
    const { page } = await visit('/sign-in?next=//evil.test/')
    await signIn(page, 'analyst@acme.test')
    await heading(page, 'Home')
    expect(page.url()).toBe(`${origin}/dashboard/${acme.slug}/home`)
  })

  it('an ended session leads to the sign-in', async () => {
    const { context, page } = await visit(`/${acme.slug}/campaigns`, { as: owner })
    await heading(page, 'Campaigns')
    // A request that is still on its way would lead to the sign-in by itself.
    await page.waitForLoadState('networkidle')
    await context.clearCookies()
    await page.getByRole('link', { name: 'Developers' }).click()
    await heading(page, 'Sign in')
    expect(page.url()).toContain(`next=%2F${acme.slug}%2Fdevelopers`)
  })

  it('accepts an invitation; the person sees their program and no other', async () => {
    const { inviteMember } = await olga.graphql(acme.id)(
      'mutation { inviteMember(input: { email: "new@acme.test", role: MANAGER }) { url } }',
    )
    const { page, go } = await visit(inviteMember.url)
    await heading(page, 'Join Acme')
    await page.getByText('You are invited as a manager.').waitFor()
    expect(await axeProblems(page)).toEqual([])
    await page.getByLabel('Name').fill('Nils New')
    await page.getByLabel('Password').fill(password)
    await click(page, 'Accept invitation')
    await heading(page, 'Home')
    await go(`/${other.slug}/home`)
    await heading(page, 'Nothing is here')
    await go(`/${acme.slug}/developers`)
    await page.getByText('Only owners of the program can see and change its keys.').waitFor()
    await page.getByRole('button', { name: 'Add endpoint' }).waitFor()
    const again = await visit(inviteMember.url)
    await heading(again.page, 'This invitation cannot be used')
  })

  it('somebody with an account signs in before they accept', async () => {
    const { inviteMember } = await olga.graphql(other.id)(
      'mutation { inviteMember(input: { email: "owner@acme.test", role: ANALYST }) { url } }',
    )
    const { page } = await visit(inviteMember.url)
    await page.getByText('You have an account already.').waitFor()
    await page.getByRole('link', { name: 'Sign in' }).click()
    await signIn(page, 'owner@acme.test')
    await click(page, 'Accept invitation')
    await heading(page, 'Home')
    expect(page.url()).toBe(`${origin}/dashboard/${other.slug}/home`)
  })

  it('an operator makes a link with which a person with a forgotten password chooses another', async () => {
    await addMember(test, olga, acme.id, { email: 'forgetful@acme.test', role: 'ANALYST', name: 'Fay Forgetful' })
    const operator = await visit('/programs', { as: olga })
    await click(operator.page, 'Reset a password')
    const dialog = operator.page.getByRole('dialog')
    await dialog.getByLabel('E-mail').fill('nobody@acme.test')
    await dialog.getByRole('button', { name: 'Create link' }).click()
    await dialog.getByText('Nobody has an account').waitFor()
    await dialog.getByLabel('E-mail').fill('forgetful@acme.test')
    await dialog.getByRole('button', { name: 'Create link' }).click()
    await dialog.getByText('Send this link to Fay Forgetful.').waitFor()
    await dialog.getByRole('button', { name: 'Copy the link' }).click()
    await dialog.getByText('Copied.').waitFor()
    const link = await clipboard(operator.page)
    expect(await axeProblems(operator.page, { include: ['.dialog'] })).toEqual([])

    const { page } = await visit(link)
    await page.getByText('For the account forgetful@acme.test.').waitFor()
    expect(page.url()).not.toContain('token')
    expect(await axeProblems(page)).toEqual([])
    await page.getByLabel('New password').fill('short')
    await click(page, 'Change password')
    await page.getByText('must have at least 12 characters').waitFor()
    await page.getByLabel('New password').fill('four random words again')
    await click(page, 'Change password')
    await heading(page, 'Your password was changed')
    await page.getByRole('link', { name: 'Sign in' }).click()
    await signIn(page, 'forgetful@acme.test', 'four random words again')
    await heading(page, 'Home')
    await page.goto(link)
    await page.reload()
    await heading(page, 'This link cannot be used')
  })

  it('turns on a second factor, which the next sign-in asks for, and ends another session', async () => {
    const person = await addMember(test, olga, acme.id, { email: 'factor@acme.test', role: 'ANALYST' })
    const { page } = await visit('/account', { as: person })
    await click(page, 'Turn on')
    const dialog = page.locator('[role=dialog]:not(.toast)')
    await dialog.getByLabel('Password').fill(password)
    await click(page, 'Continue')
    await dialog.getByRole('img', { name: 'Image to scan with an authenticator app' }).waitFor()
    await dialog.getByRole('button', { name: 'Copy the secret for the app' }).click()
    const uri = `otpauth://totp/x?secret=${await clipboard(page)}`
    await dialog.getByRole('button', { name: 'Copy the recovery codes' }).click()
    const [recoveryCode = ''] = (await clipboard(page)).split('\n')
    await dialog.getByLabel('Code').fill(codeOf(uri))
    await dialog.getByRole('button', { name: 'Turn on' }).click()
    await page.getByText('The second factor is on.').waitFor()

    const second = await visit('/sign-in')
    await signIn(second.page, 'factor@acme.test')
    await second.page.getByLabel('Code').waitFor()
    expect(await axeProblems(second.page)).toEqual([])
    await second.page.getByLabel('Code').fill(codeOf(uri))
    await click(second.page, 'Sign in')
    await heading(second.page, 'Home')
    await page.reload()
    await click(page, 'End all others')
    await page.getByText('All other sessions were ended.').waitFor()
    await second.page.reload()
    await heading(second.page, 'Sign in')

    // Without the phone: a recovery code signs in, once.
    for (const works of [true, false]) {
      const third = await visit('/sign-in')
      await signIn(third.page, 'factor@acme.test')
      await click(third.page, 'Use a recovery code')
      expect(await axeProblems(third.page)).toEqual([])
      await third.page.getByLabel('Recovery code').fill(recoveryCode)
      await click(third.page, 'Sign in')
      if (works) await heading(third.page, 'Home')
      else await third.page.getByRole('alert').waitFor()
    }

    // The provider does not take the place of the code.
    const fourth = await visit('/sign-in')
    provider.person = { sub: 'factor', email: 'factor@acme.test' }
    await click(fourth.page, 'Sign in with Acme accounts')
    await heading(fourth.page, 'Enter your code')
    await fourth.go('/account')
    await heading(fourth.page, 'Sign in')
  })

  it('signs in with OpenID Connect, and says why somebody without an account is not', async () => {
    const { page, go } = await visit(`/${acme.slug}/developers`)
    provider.person = { sub: 'nobody', email: 'nobody@acme.test' }
    await click(page, 'Sign in with Acme accounts')
    await page.getByRole('alert').getByText('There is no account here').waitFor()
    expect(await axeProblems(page)).toEqual([])
    provider.person = { sub: 'owner', email: 'owner@acme.test', email_verified: false }
    await click(page, 'Sign in with Acme accounts')
    await page.getByRole('alert').getByText('is not verified at Acme accounts').waitFor()
    provider.person = { sub: 'owner', email: 'owner@acme.test' }
    await go(`/${acme.slug}/developers`)
    await click(page, 'Sign in with Acme accounts')
    await heading(page, 'Developers')
    await page.getByRole('button', { name: 'Create key' }).waitFor()

    // Another account of the provider is linked by the person, who is signed in.
    provider.person = { sub: 'owner-2', email: 'owner@acme.test' }
    const other = await visit('/sign-in')
    await click(other.page, 'Sign in with Acme accounts')
    await other.page.getByRole('alert').getByText('linked to another account at Acme accounts').waitFor()
    await go('/account')
    await click(page, 'Link Acme accounts')
    await page.getByText('Your account at Acme accounts is linked.').waitFor()
    expect(await axeProblems(page)).toEqual([])
    await click(other.page, 'Sign in with Acme accounts')
    await heading(other.page, 'Home')
  })

  // Browsers send the cookie with requests of another port: only another host is another site.
  it.each(['http://evil.test/', 'http://localhost:9999/'])(
    'a page at %s can use the session of somebody for nothing',
    async (site) => {
      const rename = `mutation { updateProgram(input: { id: "${acme.id}", name: "Stolen" }) { program { id } } }`
      const body = JSON.stringify({ query: rename })
      const { context, page, go } = await visit(`/${acme.slug}/home`, { as: owner })
      await heading(page, 'Home')
      const form = (path: string, enctype: string, name: string, value: string) => `
      <form method="post" action="${origin}${path}" enctype="${enctype}">
        <input name='${name}' value='${value}'><button>Send</button>
      </form>`
      const forms = [
        // A form of texts can send JSON: the name, "=" and the value.
        form('/graphql', 'text/plain', body.slice(0, -1).replaceAll("'", '&#39;'), '}'),
        form('/graphql', 'application/x-www-form-urlencoded', 'query', rename),
        form('/dashboard/auth/sign-out', 'application/x-www-form-urlencoded', 'x', 'y'),
        form('/dashboard/auth/revoke-sessions', 'text/plain', '{}', ''),
      ]
      for (const html of forms) {
        await context.route(site, (route) => route.fulfill({ contentType: 'text/html', body: html }))
        await page.goto(site)
        const answer = page.waitForResponse((response) => response.url().startsWith(origin))
        await click(page, 'Send')
        expect((await answer).status()).toBeGreaterThanOrEqual(400)
      }
      await page.goto(site)
      const script = async ([address, sent]: readonly [string, string]) => {
        for (const type of ['application/json', 'text/plain'])
          await fetch(address, {
            method: 'POST',
            credentials: 'include',
            mode: type === 'text/plain' ? 'no-cors' : 'cors',
            headers: { 'Content-Type': type },
            body: sent,
          }).catch(() => {})
        const frame = document.createElement('iframe')
        frame.src = new URL('/dashboard', address).href
        const loaded = new Promise((resolve) => frame.addEventListener('load', resolve))
        document.body.append(frame)
        await loaded
      }
      await page.evaluate(script, [`${origin}/graphql`, body] as const)
      expect(await page.frameLocator('iframe').getByRole('heading').count()).toBe(0)
      await go(`/${acme.slug}/home`)
      await heading(page, 'Home')
      const { program } = await owner.graphql(acme.id)('{ program { name } }')
      expect(program.name).toBe('Acme')
    },
  )

  it('a session that another person put into the browser does not become that of the person who signs in', async () => {
    const thief = await addMember(test, olga, acme.id, {
      email: 'thief@acme.test',
      role: 'ANALYST',
      name: 'Theo Thief',
    })
    const known = [...thief.cookies]
    const { context, page } = await visit('/sign-in', { as: thief })
    await signIn(page, 'owner@acme.test')
    await click(page, 'Account of Mia Member')
    const cookieOfOwner = (await context.cookies()).map(({ name, value }) => [name, value])
    expect(cookieOfOwner).not.toEqual(known)
    const { viewer } = await thief.graphql()('{ viewer { person { email } } }')
    expect(viewer.person.email).toBe('thief@acme.test')
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await heading(page, 'Sign in')
    const copied = createBrowser(test)
    for (const [name = '', value = ''] of cookieOfOwner) copied.cookies.set(name, value)
    await expect(copied.graphql()('{ viewer { person { email } } }')).rejects.toThrow()
  })
})
