import { beforeAll, describe, expect, it } from 'vitest'
import { preferencesUrl } from '../../../src/modules/mails/choices.ts'
import { unsubscribeUrl } from '../../../src/modules/mails/unsubscribe.ts'
import { createTestApp, testKey } from '../../support/app.ts'
import { createAffiliate } from '../../support/factories.ts'

const origin = 'http://localhost:4000'
const logo = '<img src="https://cdn.acme.test/logo.png" alt="Acme">'

describe('pages that mails lead to', async () => {
  const test = await createTestApp()
  const program = await test.createProgram()
  const { id: affiliateId } = await createAffiliate(program)
  const ofAffiliate = { programId: program.id, affiliateId }
  const links = [
    preferencesUrl(origin, testKey, ofAffiliate),
    unsubscribeUrl(origin, testKey, { programId: program.id, addresseeId: affiliateId, what: 'payouts' }),
  ]
  const send = (url: string, type: string, body: string) =>
    test.app.fetch(new Request(url, { method: 'POST', headers: { 'Content-Type': type }, body }))
  const sendForm = (url: string, body: string) => send(url, 'application/x-www-form-urlencoded', body)
  const sendToken = (token: string) =>
    send(`${origin}/join/confirm/program`, 'application/json', `{"token":"${token}"}`)
  beforeAll(() =>
    program.graphql(
      `mutation { updateJoinSettings(input: { logoUrl: "https://cdn.acme.test/logo.png", color: "#FFD400" }) {
        joinSettings { color } } }`,
    ),
  )

  it.each(links)('%s has the colour and the logo of the program', async (url) => {
    for (const response of [await test.app.fetch(new Request(url)), await sendForm(url, 'commissions=never')]) {
      expect(response.headers.get('content-security-policy')).toContain('img-src https://cdn.acme.test;')
      const html = await response.text()
      expect(html).toContain(logo)
      const [, href = ''] = /<link rel="stylesheet" href="([^"]*color-ffd400\.css)">/.exec(html) ?? []
      expect((await test.app.fetch(new Request(new URL(href, url)))).status).toBe(200)
    }
  })

  it('a program without a logo has its name, and a broken link is of no program', async () => {
    const plain = await test.createProgram()
    const { id } = await createAffiliate(plain)
    const url = preferencesUrl(origin, testKey, { programId: plain.id, affiliateId: id })
    expect(await (await test.app.fetch(new Request(url))).text()).toContain('<p class="program">Acme</p>')
    const broken = await test.app.fetch(new Request(url.slice(0, -3)))
    expect([broken.status, (await broken.text()).includes('Acme')]).toEqual([404, false])
  })

  it('after an application, and for the link that confirms it', async () => {
    const sent = await sendForm(`${origin}/join/${program.slug}`, 'email=new%40example.com')
    const html = await sent.text()
    expect([html.includes(logo), html.includes('href="color-ffd400.css"')]).toEqual([true, true])
    const { mails } = await program.graphql(
      '{ mails(first: 1, where: { to: { equals: "new@example.com" } }) { nodes { text } } }',
    )
    const [, token = ''] = /#token=(\S+)/.exec(mails.nodes[0].text) ?? []
    const known = await sendToken(token)
    expect(await known.json()).toEqual({
      program: { name: 'Acme', color: 'color-ffd400.css' },
    })
    const unconfirmed = { programId: program.id, confirmedAt: null }
    expect(await test.database.db.application.count({ where: unconfirmed })).toBe(1)
    expect((await sendToken('x'.repeat(43))).status).toBe(404)
  })

  it('say that a program is moving, in place of an error as JSON', async () => {
    const where = { id: program.id }
    await test.database.db.program.update({ where, data: { closedAt: test.clock.now } })
    for (const url of links) {
      expect((await test.app.fetch(new Request(url))).status).toBe(200)
      const response = await sendForm(url, 'commissions=at_once')
      expect([response.status, response.headers.get('content-type')]).toEqual([503, 'text/html; charset=utf-8'])
      expect(await response.text()).toContain('The program is being moved to another server.')
    }
    await test.database.db.program.update({ where, data: { closedAt: null } })
    expect((await sendForm(links[0] ?? '', 'commissions=at_once')).status).toBe(200)
  })
})
