import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import { readMailSettings } from '../../../src/kernel/mail.ts'
import { createMailer } from '../../../src/server/operations/mailer.ts'
import { createTestApp } from '../../support/app.ts'
import { silentLog } from '../../support/database.ts'
import { createMailServer } from '../../support/mail-server.ts'
import { addMember, createBrowser, password, setUpOperator } from '../../support/people.ts'

const server = await createMailServer()
const { settings } = readMailSettings(`smtp://127.0.0.1:${server.port}`, 'partners@acme.test')
if (!settings) throw new Error('the settings are not valid')
const test = await createTestApp({ mailer: createMailer({ settings, log: silentLog }) })
const olga = await setUpOperator(test)
const acme = await test.createProgram()
afterAll(() => server.close())
afterEach(() => void server.received.splice(0))

let members = 0
async function newMember() {
  members += 1
  const email = `member-${members}@acme.test`
  const browser = await addMember(test, olga, acme.id, { email, role: 'ANALYST', name: 'Mia Member' })
  await arrived(email)
  server.received.splice(0)
  return { browser, email, newEmail: `new-${members}@acme.test` }
}

const arrived = (to: string) =>
  vi.waitFor(() => server.received.find((mail) => mail.to === to) ?? Promise.reject(new Error(`no mail to ${to}`)), {
    timeout: 20_000,
  })
const tokenOf = ({ text }: { text: string }) => /#token=(\S+)/.exec(text)?.[1] as string
const signIn = async (email: string) =>
  (await createBrowser(test).post('/auth/sign-in/email', { email, password })).status
const history = async (who = olga) => {
  const query = '{ installationHistory(first: 2) { nodes { action subjectName actor { person { name } } } } }'
  return (await who.graphql()(query)).installationHistory.nodes
}

describe('a new e-mail address', () => {
  it('is confirmed by a link that is mailed to it; sessions stay, and the former address is told', async () => {
    const { browser, email, newEmail } = await newMember()
    const asked = await browser.post('/email-change/request', { email: newEmail.toUpperCase(), password })
    expect([asked.status, asked.body]).toEqual([200, {}])
    const mail = await arrived(newEmail)
    expect(mail.subject).toBe('Confirm your new e-mail address')
    expect(await signIn(newEmail)).toBe(401)
    const token = tokenOf(mail)
    const stranger = createBrowser(test)
    expect((await stranger.post('/email-change/read', { token })).body).toEqual({ email, newEmail })

    expect((await browser.post('/email-change', { token })).body).toEqual({ email: newEmail })
    const { viewer } = await browser.graphql()('{ viewer { person { email name } } }')
    expect(viewer.person).toEqual({ email: newEmail, name: 'Mia Member' })
    expect([await signIn(newEmail), await signIn(email)]).toEqual([200, 401])
    const told = await arrived(email)
    expect(told.text).toContain(`has the address ${newEmail} now, not ${email} any more`)
    expect((await stranger.post('/email-change', { token })).status).toBe(401)
  })

  it('is in the history of the installation, with the address before and after', async () => {
    const { browser, email, newEmail } = await newMember()
    test.clock.advanceMinutes(1)
    await browser.post('/email-change/request', { email: newEmail, password })
    test.clock.advanceMinutes(1)
    await browser.post('/email-change', { token: tokenOf(await arrived(newEmail)) })
    const actor = { person: { name: 'Mia Member' } }
    expect(await history()).toEqual([
      { action: 'EMAIL_CHANGED', subjectName: newEmail, actor },
      { action: 'EMAIL_CHANGE_LINK_CREATED', subjectName: email, actor },
    ])
  })

  it('needs the password and an address that nobody has, and changes nothing otherwise', async () => {
    const { browser, newEmail } = await newMember()
    const problemsOf = async (fields: object) => {
      const { status, body } = await browser.post('/email-change/request', fields)
      return [status, body.problems?.map(({ field }: { field: string }) => field)]
    }
    expect(await problemsOf({ email: newEmail, password: 'wrong' })).toEqual([422, ['password']])
    expect(await problemsOf({ email: 'olga@example.com', password })).toEqual([422, ['email']])
    expect(await problemsOf({ email: 'no address' })).toEqual([422, ['email', 'password']])
    expect((await createBrowser(test).post('/email-change/request', { email: newEmail, password })).status).toBe(401)
    expect(server.received).toEqual([])
  })

  it('a newer link ends the earlier one, and a link ends after a day', async () => {
    const { browser, newEmail } = await newMember()
    await browser.post('/email-change/request', { email: newEmail, password })
    const first = tokenOf(await arrived(newEmail))
    await browser.post('/email-change/request', { email: `x${newEmail}`, password })
    const second = tokenOf(await arrived(`x${newEmail}`))
    expect((await browser.post('/email-change', { token: first })).status).toBe(401)
    test.clock.advanceDays(1)
    expect((await browser.post('/email-change', { token: second })).status).toBe(401)
  })

  it('is refused if another account has the address by the time of the confirmation', async () => {
    const [one, other] = [await newMember(), await newMember()]
    const tokens: string[] = []
    for (const { browser } of [one, other]) {
      await browser.post('/email-change/request', { email: one.newEmail, password })
      tokens.push(tokenOf(await arrived(one.newEmail)))
      server.received.splice(0)
    }
    expect((await one.browser.post('/email-change', { token: tokens[0] })).status).toBe(200)
    expect((await other.browser.post('/email-change', { token: tokens[1] })).status).toBe(422)
    expect([await signIn(one.newEmail), await signIn(other.email)]).toEqual([200, 200])
  })

  it('is mailed three times in 15 minutes to one address at most', async () => {
    const { browser, newEmail } = await newMember()
    const statuses: number[] = []
    for (let count = 0; count < 4; count += 1)
      statuses.push((await browser.post('/email-change/request', { email: newEmail, password })).status)
    expect(statuses).toEqual([200, 200, 200, 429])
  })
})

it('without a mail server, an operator makes the link, and a person alone cannot', async () => {
  const silent = await createTestApp()
  const operator = await setUpOperator(silent)
  const program = await silent.createProgram()
  const mia = await addMember(silent, operator, program.id, { email: 'mia@acme.test', role: 'OWNER' })
  const own = await mia.post('/email-change/request', { email: 'new@acme.test', password })
  expect([own.status, own.body.message]).toEqual([422, expect.stringContaining('Ask an operator')])
  const create = (who: typeof mia, newEmail: string) =>
    who.graphql()(
      `mutation ($newEmail: EmailAddress!) {
        createEmailChangeLink(input: { email: "Mia@acme.test", newEmail: $newEmail }) { url isMailed person { name } }
      }`,
      { newEmail },
    )
  await expect(create(mia, 'new@acme.test')).rejects.toThrow()
  await expect(create(operator, 'olga@example.com')).rejects.toThrow('New email is that of an account already')
  const { createEmailChangeLink: link } = await create(operator, 'new@acme.test')
  expect(link).toMatchObject({ isMailed: null, person: { name: 'Mia Member' } })
  const token = link.url.split('#token=')[1]
  expect((await createBrowser(silent).post('/email-change', { token })).status).toBe(200)
  const { viewer } = await mia.graphql()('{ viewer { person { email } } }')
  expect(viewer.person.email).toBe('new@acme.test')
})
