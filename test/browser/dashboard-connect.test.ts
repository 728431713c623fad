import { Client, StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client'
import { describe, expect, it } from 'vitest'
import { hasChromium, needsChromium } from '../support/browser.ts'
import { click, closed, heading, problemsOf, signIn, startDashboard } from '../support/dashboard.ts'
import { earner } from '../support/payout-runs.ts'
import { addMember } from '../support/people.ts'

describe.skipIf(!hasChromium)('an application is connected in the dashboard', async () => {
  if (!hasChromium) return it(needsChromium, () => {})
  const { test, origin, visit, olga } = await startDashboard()
  const acme = await test.createProgram()
  await addMember(test, olga, acme.id, { email: 'manager@acme.test', role: 'MANAGER' })

  /** The client of the protocol's library, which keeps in memory what it gets. */
  function createAssistant() {
    const kept: Record<string, any> = {}
    const redirectUrl = `${origin}/look/callback`
    const authProvider = {
      redirectUrl,
      clientMetadata: { client_name: 'Acme assistant', redirect_uris: [redirectUrl] },
      state: () => 'state-of-the-assistant',
      clientInformation: () => kept.client,
      saveClientInformation: (client: unknown) => void Object.assign(kept, { client }),
      tokens: () => kept.tokens,
      saveTokens: (tokens: unknown) => void Object.assign(kept, { tokens }),
      redirectToAuthorization: (address: URL) => void Object.assign(kept, { address }),
      saveCodeVerifier: (verifier: string) => void Object.assign(kept, { verifier }),
      codeVerifier: () => kept.verifier,
      saveDiscoveryState: (discovered: unknown) => void Object.assign(kept, { discovered }),
      discoveryState: () => kept.discovered,
      invalidateCredentials: () => void delete kept.tokens,
    }
    const transportOf = () =>
      new StreamableHTTPClientTransport(new URL(`${origin}/mcp`), { authProvider: authProvider as never })
    const client = () =>
      new Client({ name: 'tests', version: '1' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } })
    return { kept, client, transportOf }
  }

  it('from the first 401 of the client to an answer, and until the person ends it', async () => {
    const { commission } = await earner(acme)
    const { kept, client, transportOf } = createAssistant()
    await expect(client().connect(transportOf() as never)).rejects.toThrow(UnauthorizedError)
    const { page } = await visit(kept.address.href)
    await signIn(page, 'manager@acme.test')
    await heading(page, 'Let Acme assistant act as you?')
    await page.getByText('You are signed in as manager@acme.test.').waitFor()
    await page.getByText('nobody has checked whose it is').waitFor()
    expect(await page.getByLabel('Program').inputValue()).toBe(acme.id)
    expect(await problemsOf(page)).toEqual([])
    // The place of the application answers 404, which is no error of the page.
    const arrived = page.waitForURL(/look\/callback/)
    await click(page, 'Allow')
    await arrived
    const answer = new URL(page.url()).searchParams
    expect([answer.get('state'), answer.get('iss')]).toEqual(['state-of-the-assistant', origin])

    const transport = transportOf()
    await transport.finishAuth(answer)
    const assistant = client()
    await assistant.connect(transportOf() as never)
    const call = () => assistant.callTool({ name: 'explain', arguments: { id: commission.id } })
    expect(JSON.stringify((await call()).structuredContent)).toContain(commission.id)

    await page.goto(`${origin}/dashboard/account`)
    await page.getByText('Acme assistant', { exact: false }).first().waitFor()
    await page.getByText('Reads and proposes').waitFor()
    expect(await problemsOf(page)).toEqual([])
    await click(page, 'End access Acme assistant')
    await page.getByRole('alertdialog').getByRole('button', { name: 'End access' }).click()
    await page.getByText('The access was ended.').waitFor()
    await closed(page)
    await page.getByText('No application acts as you.', { exact: false }).waitFor()
    await expect(call()).rejects.toThrow()
  })

  it('a person does not allow it, on a phone, and the application learns that', async () => {
    const { kept, client, transportOf } = createAssistant()
    await client()
      .connect(transportOf() as never)
      .catch(() => {})
    const { page } = await visit(kept.address.href, {
      as: olga,
      viewport: { width: 390, height: 844 },
      colorScheme: 'dark',
    })
    await heading(page, 'Let Acme assistant act as you?')
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
    expect(await problemsOf(page)).toEqual([])
    const arrived = page.waitForURL(/look\/callback/)
    await click(page, 'Do not allow')
    await arrived
    expect(new URL(page.url()).searchParams.get('error')).toBe('access_denied')
  })

  it('an address that is not of the application leads nowhere', async () => {
    const { kept, client, transportOf } = createAssistant()
    await client()
      .connect(transportOf() as never)
      .catch(() => {})
    const wrong = new URL(kept.address)
    wrong.searchParams.set('redirect_uri', 'https://evil.test/')
    const { page } = await visit(wrong.href, { as: olga })
    await heading(page, 'This application cannot be connected')
    await page.getByText('The redirect_uri is not one of the application.').waitFor()
    expect(await page.getByRole('button', { name: 'Allow' }).count()).toBe(0)
  })
})
